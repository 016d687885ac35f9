/** Compares files and folders by what they are, also through links. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whether two paths lead to the same existing file or folder. */
export function isSameFile(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}

/** Whether a folder, as a path without links, is `outer` or inside it. */
export function isInFolder(outer: string, folder: string): boolean {
  const parent = dirname(folder);
  return isSameFile(outer, folder) || (parent !== folder && isInFolder(outer, parent));
}
