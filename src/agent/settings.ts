import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { EXIT, Failure } from './failure.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export function stateFolder(environment: Environment): string {
  const { OPBENCH_HOME } = environment;
  return OPBENCH_HOME || join(configFolder(environment), 'opbench');
}

export function configFolder(environment: Environment): string {
  return environment['XDG_CONFIG_HOME'] || join(homeFolder(environment), '.config');
}

/** The folder of what can be made again: the index of logs that were read. */
export function cacheFolder(environment: Environment): string {
  const { OPBENCH_HOME, XDG_CACHE_HOME } = environment;
  if (OPBENCH_HOME) return join(OPBENCH_HOME, 'cache');
  return join(XDG_CACHE_HOME || join(homeFolder(environment), '.cache'), 'opbench');
}

export function homeFolder(environment: Environment): string {
  return environment['HOME'] || environment['USERPROFILE'] || homedir();
}

/** What decides where state and logs are; a timer, or a client of MCP, has none of what a shell sets. */
const CARRIED = [
  'OPBENCH_HOME',
  'OPBENCH_MACHINE',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'GEMINI_DATA_DIR',
  'OPENCODE_DATA_DIR',
  'OPENCODE_DB',
  'COPILOT_HOME',
  'NODE_EXTRA_CA_CERTS',
];

/**
 * The variables that the program needs to find what this shell finds, whoever starts it.
 *
 * @throws {Failure} `usage` for a value that cannot be written down.
 */
export function carriedVariables(environment: Environment): Record<string, string> {
  const carried = CARRIED.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  // The system gives the home of the account, whatever the shell says.
  const { HOME } = environment;
  if (HOME && HOME !== userInfo().homedir) carried.push(['HOME', HOME]);
  for (const [name, value] of carried) refuseControls(name, value);
  return Object.fromEntries(carried);
}

/** @throws {Failure} `usage` for a text that would end its line. */
export function refuseControls(name: string, value: string): void {
  if (!/\p{Cc}/u.test(value)) return;
  const message = `There is a control character in ${name}`;
  throw new Failure(EXIT.usage, message, 'Take it out, then run this again.');
}
