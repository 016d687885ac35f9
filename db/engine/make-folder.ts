import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those above it that are missing, one after the other: Node's own way tries for ever where a
 * system says of a folder that is there that it is not, as in /proc.
 *
 * @param mode Who may use what is made; as the process is set if it is not given.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  let at = resolve(path);
  for (; !isFolder(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

/** What is there and no folder is made, too, so that the system says why it cannot be. */
function isFolder(path: string): boolean {
  if (dirname(path) === path) return true;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
