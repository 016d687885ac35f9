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

/** @throws {Failure} `usage` if the value has control characters, which could end its line. */
export function refuseControls(name: string, value: string): void {
  if (!/\p{Cc}/u.test(value)) return;
  const message = `${name} contains a control character`;
  throw new Failure(EXIT.usage, message, 'Remove it, then run the command again.');
}
