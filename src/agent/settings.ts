import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the command's own state. */
export function stateFolder(environment: Environment): string {
  const { OPBENCH_HOME, XDG_CONFIG_HOME } = environment;
  if (OPBENCH_HOME) return OPBENCH_HOME;
  return join(XDG_CONFIG_HOME || join(homeFolder(environment), '.config'), 'opbench');
}

/** The folder of what can be made again: the index of logs that were read. */
export function cacheFolder(environment: Environment): string {
  const { OPBENCH_HOME, XDG_CACHE_HOME } = environment;
  if (OPBENCH_HOME) return join(OPBENCH_HOME, 'cache');
  return join(XDG_CACHE_HOME || join(homeFolder(environment), '.cache'), 'opbench');
}

function homeFolder(environment: Environment): string {
  return environment['HOME'] || environment['USERPROFILE'] || homedir();
}
