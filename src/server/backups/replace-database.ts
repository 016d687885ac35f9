/**
 * Puts a restored database in the place of another. Whenever the process ends meanwhile, there is the whole old board
 * or the whole new one: SQLite would take a log that is left of one database for one of the next, so the old
 * one is made a single file first, and a single renaming replaces it.
 */
import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { foldDatabase } from '#db/engine/copy.ts';
import { syncFile, syncFolder } from '../process/atomic-file.ts';

export interface Replacement {
  /** The new database: one file, durable, that nobody has open. */
  draft: string;
  database: string;
  kept: string;
  /** Whether the old one can be read; what SQLite does not understand, it would tidy away. */
  isSound: boolean;
}

/** What SQLite keeps beside a database that was not closed. */
const COMPANIONS = ['-wal', '-journal'];

/**
 * Yields after each step that another process could see.
 *
 * @throws {StoreError} `in_use` if another process has the old database open; nothing is changed then.
 */
export function* replaceDatabase({
  draft,
  database,
  kept,
  isSound,
}: Replacement): Generator<string> {
  if (existsSync(database)) {
    if (isSound) foldDatabase(database);
    yield 'folded';
    keep(database, kept);
    yield 'kept';
  }
  // Only what cannot be read has these, and is kept with those that hold something.
  const companions = COMPANIONS.filter((suffix) => existsSync(database + suffix));
  const full = companions.filter((suffix) => statSync(database + suffix).size > 0);
  for (const suffix of full) keep(database + suffix, kept + suffix);
  syncFolder(dirname(kept));
  for (const suffix of [...companions, '-shm']) rmSync(database + suffix, { force: true });
  yield 'alone';
  renameSync(draft, database);
  yield 'replaced';
  syncFolder(dirname(database));
}

/** Gives a file a second name, or where the file system has none, makes a copy. */
function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    copyFileSync(path, kept);
    syncFile(kept);
  }
}
