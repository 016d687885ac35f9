import { type UserInfo, userInfo } from 'node:os';
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

/** The folder for what can be rebuilt: the index of logs. */
export function cacheFolder(environment: Environment): string {
  const { OPBENCH_HOME, XDG_CACHE_HOME } = environment;
  if (OPBENCH_HOME) return join(OPBENCH_HOME, 'cache');
  return join(XDG_CACHE_HOME || join(homeFolder(environment), '.cache'), 'opbench');
}

/** @throws {Failure} `usage` if it is unknown. */
export function homeFolder(environment: Environment): string {
  const home = environment['HOME'] || environment['USERPROFILE'] || account()?.homedir;
  if (home) return home;
  const message = 'Your home folder is unknown: HOME is not set, and your user has no account here';
  throw new Failure(
    EXIT.usage,
    message,
    'Set HOME to your home folder, then run the command again.',
  );
}

/** Adds HOME to an environment without it, as some timers and services start programs, so that logs are found. */
export function withHome(environment: Environment, platform = process.platform): Environment {
  const name = platform === 'win32' ? 'USERPROFILE' : 'HOME';
  const home = environment['HOME'] || environment['USERPROFILE'] || account()?.homedir;
  return environment[name] || !home ? environment : { ...environment, [name]: home };
}

/** The user's account on this system; null if there is none, as in some containers. */
export function account(): UserInfo<string> | null {
  try {
    return userInfo();
  } catch {
    return null;
  }
}

/** Variables that decide where state and logs are, and what is counted. Timers and MCP clients do not have the variables of a shell. */
const CARRIED = [
  'OPBENCH_HOME',
  'OPBENCH_MACHINE',
  'OPBENCH_BOARD',
  'OPBENCH_EXCLUDE_TOOLS',
  'OPBENCH_EXCLUDE_FOLDERS',
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
 * The variables that the program needs to find the same files without this shell.
 *
 * @throws {Failure} `usage` if a value has control characters.
 */
export function carriedVariables(environment: Environment): Record<string, string> {
  const carried = CARRIED.flatMap((name) => {
    const value = environment[name];
    return value ? [[name, value] as const] : [];
  });
  // Timers get the account's home folder from the system, which may differ from HOME.
  const { HOME } = environment;
  if (HOME && HOME !== account()?.homedir) carried.push(['HOME', HOME]);
  for (const [name, value] of carried) refuseControls(name, value);
  return Object.fromEntries(carried);
}

/** @throws {Failure} `usage` if the value has control characters, which could end its line. */
export function refuseControls(name: string, value: string): void {
  if (!/\p{Cc}/u.test(value)) return;
  const message = `${name} contains a control character`;
  throw new Failure(EXIT.usage, message, 'Remove it, then run the command again.');
}
