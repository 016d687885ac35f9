import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its missing parents, one after the other. Node's own function retries forever if a system
 * reports an existing folder as missing, as in /proc.
 *
 * @param mode The permissions of created folders; the process's default if absent.
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
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

/** If a file is in the way, the attempt to create the folder produces the system's error. */
function isFolder(path: string): boolean {
  if (dirname(path) === path) return true;
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
