/** Where the copy of this program is that stays, and how it is typed. Light: every start loads it. */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_WORDS } from '../command-names.ts';
import type { Place } from '../device.ts';
import { type Environment, homeFolder, stateFolder } from '../settings.ts';

/** Where the copy is; timers and configurations of agents point there. */
export function installedFile(environment: Environment): string {
  return join(stateFolder(environment), 'opbench.mjs');
}

export function installedCommand(environment: Environment): string {
  const path = installedFile(environment);
  const home = homeFolder(environment);
  const isPlain = /^[\w./~-]+$/.test(path);
  if (!isPlain) return `node "${path}"`;
  return path.startsWith(`${home}/`) ? `node ~${path.slice(home.length)}` : `node ${path}`;
}

const TYPED = new RegExp(`(?<![\\w./-])opbench(?= ${COMMAND_WORDS})`, 'g');

/** A text whose commands are as they must be typed: where the copy runs, `opbench` is on no PATH. */
export function asTyped(
  { environment, file }: Pick<Place, 'environment' | 'file'>,
  text: string,
): string {
  if (text.search(TYPED) < 0 || !isCopy(environment, file)) return text;
  const command = installedCommand(environment);
  return text.replaceAll(TYPED, () => command);
}

function isCopy(environment: Environment, file: string): boolean {
  const path = installedFile(environment);
  try {
    return path === file || realpathSync(path) === file;
  } catch {
    return false;
  }
}
