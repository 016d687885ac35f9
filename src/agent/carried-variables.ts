import { readers } from '#core/readers/readers.ts';
import { type Environment, account, refuseControls } from './settings.ts';

/** Variables that decide where state is, and what is counted. Those for logs are named by the readers. */
const OF_STATE = [
  'OPBENCH_HOME',
  'OPBENCH_MACHINE',
  'OPBENCH_BOARD',
  'OPBENCH_EXCLUDE_TOOLS',
  'OPBENCH_EXCLUDE_FOLDERS',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'NODE_EXTRA_CA_CERTS',
];

/**
 * The variables that the program needs to find the same files without this shell. Timers and MCP clients do not have the
 * variables of a shell.
 *
 * @throws {Failure} `usage` if a value has control characters.
 */
export function carriedVariables(environment: Environment): Record<string, string> {
  const names = new Set([...OF_STATE, ...readers.flatMap(({ variables }) => variables)]);
  const carried = [...names].flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  // Timers get the account's home folder from the system, which may differ from HOME.
  const { HOME } = environment;
  if (HOME && HOME !== account()?.homedir) carried.push(['HOME', HOME]);
  for (const [name, value] of carried) refuseControls(name, value);
  return Object.fromEntries(carried);
}
