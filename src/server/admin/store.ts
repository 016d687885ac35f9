import { statSync, realpathSync } from 'node:fs';
import { makeFolder } from '#db/engine/make-folder.ts';
import { type Store, openStore } from '#db/store.ts';
import type { RulesetNumbers } from '#core/domain/board/ruleset.ts';
import { type Config, databasePath, listenUrl, migrationsPath } from '../config/config.ts';
import { ConfigError } from '../config/config-error.ts';
import { type ServedSettings, readServedConfig } from '../running-server.ts';
import { isInFolder, isSameFile } from '#server/process/same-file.ts';
import { dirname, resolve, sep } from 'node:path';
import { UsageError } from '#core/cli/arguments.ts';

/** Facts about the board that are not in its store. */
export interface KeptBoard {
  baseUrl: string;
  now: Date;
  /** The numbers of the ranking rules in the configuration. */
  eligibility: RulesetNumbers;
}

/**
 * Runs `work` on the store of the board that the settings describe, then closes it.
 *
 * @param isNew Whether to create the board if there is none.
 * @throws {ConfigError} if there is no board and `isNew` is false.
 */
export function withStore(
  settings: ServedSettings,
  work: (store: Store, board: KeptBoard) => void,
  { isNew = false } = {},
): void {
  const { store, board } = openBoard(settings, isNew);
  try {
    work(store, board);
  } finally {
    store.close();
  }
}

/** The same for asynchronous work, on a board that exists. */
export async function withOpenStore(
  settings: ServedSettings,
  work: (store: Store, board: KeptBoard) => Promise<void>,
): Promise<void> {
  const { store, board } = openBoard(settings, false);
  try {
    await work(store, board);
  } finally {
    store.close();
  }
}

/** @throws {ConfigError} if `DATA_DIR` holds no board. */
export function refuseNoBoard(config: Config): void {
  if (statSync(databasePath(config), { throwIfNoEntry: false })) return;
  throw new ConfigError(
    `There is no board in ${config.dataDir}. Set DATA_DIR to the data folder of the board, or name a file that sets it: --env-file FILE`,
  );
}

/**
 * Creates the data folder if it is missing. Only its owner can read it.
 *
 * @throws {ConfigError} if that is not possible.
 */
export function makeDataFolder({ dataDir }: Config): void {
  try {
    makeFolder(dataDir, 0o700);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `Cannot create the data folder ${dataDir} (${code}). Set DATA_DIR to a folder in which this user can write`,
    );
  }
}

function openBoard(settings: ServedSettings, isNew: boolean): { store: Store; board: KeptBoard } {
  const config = readServedConfig(settings);
  if (isNew) makeDataFolder(config);
  else refuseNoBoard(config);
  const baseUrl = config.baseUrl ?? listenUrl(config, config.port);
  const now = () => new Date();
  const store = openStore({ path: databasePath(config), migrations: migrationsPath(config), now });
  return { store, board: { baseUrl, now: now(), eligibility: config.eligibility } };
}

/**
 * The absolute path of a file that a command will write.
 *
 * @throws {UsageError} if the argument names a folder, for example because it ends with a slash.
 */
export function targetAt(word: string): string {
  const path = resolve(word);
  const last = word.split(sep).join('/').split('/').at(-1) ?? '';
  if (!['', '.', '..'].includes(last)) return path;
  const there = statSync(path, { throwIfNoEntry: false });
  if (!there) throw new UsageError(noFolder(path));
  throw new UsageError(
    there.isDirectory()
      ? isFolder(path)
      : `${path} is a file, not a folder. Leave out the slash at the end`,
  );
}

/**
 * Rejects a path that cannot be written, or that is among the board's own files, which the server serves, locks and
 * deletes by name.
 *
 * @throws {UsageError} if the path cannot be used.
 * @throws {ConfigError} if there is no board.
 */
export function refuseTarget(path: string, config: Config): void {
  refuseNoBoard(config);
  const folder = statSync(dirname(path), { throwIfNoEntry: false });
  if (!folder) throw new UsageError(noFolder(dirname(path)));
  if (!folder.isDirectory()) {
    throw new UsageError(`${dirname(path)} is a file, not a folder. Choose another path`);
  }
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new UsageError(isFolder(path));
  if (there && !there.isFile()) {
    throw new UsageError(`${path} is a device, not a file. Choose another path`);
  }
  if (isOwn(path, databasePath(config))) {
    throw new UsageError(`${path} is the board's own database. Choose another file`);
  }
  if (isInFolder(config.dataDir, realpathSync(dirname(path)))) {
    throw new UsageError(
      `${path} is in DATA_DIR, where the board keeps its own files. Choose another folder`,
    );
  }
}

function noFolder(path: string): string {
  return `There is no folder ${path}. Create it first`;
}

function isFolder(path: string): string {
  return `${path} is a folder. Add a file name`;
}

/** Whether a path is, or links to, the database or one of SQLite's files next to it. */
function isOwn(path: string, database: string): boolean {
  const own = ['', '-wal', '-shm', '-journal'].map((suffix) => database + suffix);
  return own.includes(path) || own.some((name) => isSameFile(name, path));
}
