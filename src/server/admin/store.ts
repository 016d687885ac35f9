import { statSync, realpathSync } from 'node:fs';
import { type Store, openStore } from '#db/store.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import {
  type Config,
  ConfigError,
  databasePath,
  listenUrl,
  migrationsPath,
} from '../config/config.ts';
import { readServedConfig } from '../running-server.ts';
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '#core/cli/arguments.ts';

/** What is known of the board besides its store. */
export interface KeptBoard {
  baseUrl: string;
  now: Date;
  /** The rules that the configuration gives it. */
  ruleset: Ruleset;
}

/**
 * Runs `work` on the store of the board that the environment describes, then closes it.
 *
 * @param isNew Whether the board may be made by this.
 * @throws {ConfigError} if there is none otherwise.
 */
export function withStore(work: (store: Store, board: KeptBoard) => void, { isNew = false } = {}) {
  const { store, board } = openBoard(isNew);
  try {
    work(store, board);
  } finally {
    store.close();
  }
}

/** The same for work that takes its time. */
export async function withOpenStore(work: (store: Store, board: KeptBoard) => Promise<void>) {
  const { store, board } = openBoard(false);
  try {
    await work(store, board);
  } finally {
    store.close();
  }
}

/** @throws {ConfigError} if there is no board where the environment says. */
export function refuseNoBoard(config: Config): void {
  if (statSync(databasePath(config), { throwIfNoEntry: false })) return;
  throw new ConfigError(`There is no board in ${config.dataDir}: set DATA_DIR`);
}

function openBoard(isNew: boolean): { store: Store; board: KeptBoard } {
  const config = readServedConfig(process.env);
  if (!isNew) refuseNoBoard(config);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  return { store, board: { baseUrl, now: now(), ruleset: config.ruleset } };
}

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
