import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeFolder } from '#db/engine/make-folder.ts';
import { UsageError } from '#core/cli/arguments.ts';
import { unwritable } from '../process/storage-fault.ts';

export interface NewFile {
  name: string;
  content: string;
}

/**
 * Writes files into a folder, which is created if it is missing, and returns their paths.
 *
 * @throws {UsageError} if one of the files exists; then nothing is written.
 * @throws {UnwritableError} if the folder or a file in it cannot be created.
 */
export function writeNewFiles(word: string, files: readonly NewFile[]): string[] {
  const folder = resolve(word);
  const placed = files.map(({ name, content }) => ({ path: join(folder, name), content }));
  const existing = placed.map(({ path }) => path).filter((path) => existsSync(path));
  if (existing.length > 0) {
    const verb = existing.length === 1 ? 'exists' : 'exist';
    throw new UsageError(`${existing.join(' and ')} already ${verb}. Choose another folder`);
  }
  try {
    makeFolder(folder);
    placed.forEach(({ path, content }) => writeFileSync(path, content, { flag: 'wx' }));
  } catch (error) {
    throw unwritable(folder, error);
  }
  return placed.map(({ path }) => path);
}
