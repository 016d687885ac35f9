/** Where a command may write a file that the admin names. */
import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { type Config, databasePath } from '../config/config.ts';
import { refuseNoBoard } from './store.ts';
import { UsageError } from '#core/cli/arguments.ts';

/**
 * The path of a file that a command is asked to write.
 *
 * @throws {UsageError} if it is written as a folder that is not there, of which resolving makes the name of a file.
 */
export function targetAt(word: string): string {
  const path = resolve(word);
  const last = word.split(sep).join('/').split('/').at(-1) ?? '';
  if (!['', '.', '..'].includes(last)) return path;
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new UsageError(`There is no folder ${path}: make it first`);
  throw new UsageError(
    there.isDirectory()
      ? `${path} is a folder: name a file in it`
      : `${path} is a file, and no folder`,
  );
}

/**
 * Refuses a place where nothing that comes of the board can be written: least of all among the board's own files,
 * which the server hands out, locks or deletes by their names.
 *
 * @throws {UsageError} saying what stands there.
 * @throws {ConfigError} if there is no board.
 */
export function refuseTarget(path: string, config: Config): void {
  refuseNoBoard(config);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw new UsageError(`There is no folder ${dirname(path)}: make it first`);
  if (!folder.isDirectory()) throw new UsageError(`${dirname(path)} is a file, and no folder`);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(`${path} is a folder: name a file in it`);
  if (there && !there.isFile()) throw new UsageError(`${path} is no file but a device`);
  if (isOwn(path, databasePath(config))) {
    throw new UsageError(`${path} is the board's own database: name another file`);
  }
  if (isIn(config.dataDir, realpathSync(dirname(path)))) {
    throw new UsageError(
      `${path} is in ${config.dataDir}, where the board keeps its own files: name a file in another folder`,
    );
  }
}

/** Whether a path is, or leads to, the database or what SQLite keeps beside it. */
function isOwn(path: string, database: string): boolean {
  const own = ['', '-wal', '-shm', '-journal'].map((suffix) => database + suffix);
  return own.includes(path) || own.some((name) => isSame(name, path));
}

/** Whether a folder is another one, or in it, by whatever name. */
function isIn(outer: string, folder: string): boolean {
  const parent = dirname(folder);
  return isSame(outer, folder) || (parent !== folder && isIn(outer, parent));
}

function isSame(path: string, other: string): boolean {
  const [one, two] = [path, other].map((each) => statSync(each, { throwIfNoEntry: false }));
  return one !== undefined && one.ino === two?.ino && one.dev === two.dev;
}
