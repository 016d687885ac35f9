import { homedir } from 'node:os';
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

export function homeFolder(environment: Environment): string {
  return environment['HOME'] || environment['USERPROFILE'] || homedir();
}

/** @throws {Failure} `usage` if the value has control characters, which could end its line. */
export function refuseControls(name: string, value: string): void {
  if (!/\p{Cc}/u.test(value)) return;
  const message = `${name} contains a control character`;
  throw new Failure(EXIT.usage, message, 'Remove it, then run the command again.');
}
