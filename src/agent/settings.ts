import { homedir } from 'node:os';
import { join } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of the command's own state. */
export function stateFolder(environment: Environment): string {
  const { OPBENCH_HOME, XDG_CONFIG_HOME } = environment;
  if (OPBENCH_HOME) return OPBENCH_HOME;
  const home = environment['HOME'] || environment['USERPROFILE'] || homedir();
  return join(XDG_CONFIG_HOME || join(home, '.config'), 'opbench');
}
