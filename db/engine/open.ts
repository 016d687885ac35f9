/** Opens a board's file with the settings that all its writers share, at this program's version. */
import { chmodSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { makeFolder } from './make-folder.ts';
import { differenceOf, migrate } from './migrate.ts';
import { presentPacked } from '../packed/views.ts';
import { StoreError } from './store-error.ts';

export interface OpenOptions {
  path: string;
  migrations: string;
  now: () => Date;
  /** How long a statement waits for another process's transaction, in milliseconds. */
  busyTimeoutMs?: number;
  /**
   * Backs up a database that is not empty before it is migrated, or throws. Without it, nothing is migrated: a
   * program that runs next to the server must not change the server's database.
   *
   * @param first The first missing migration.
   */
  beforeUpgrade?: (first: string) => void;
}

/**
 * Opens a board's file, or creates it, and migrates it to this program's version.
 *
 * @throws {StoreError} `newer`, `older` without `beforeUpgrade`, or `damaged`.
 */
export function openMigrated(options: OpenOptions): Database.Database {
  const { path, busyTimeoutMs = 5_000 } = options;
  let db: Database.Database | null = null;
  try {
    db = openDatabase(path, busyTimeoutMs);
    bringUpToDate(db, options);
    presentPacked(db);
    return db;
  } catch (error) {
    db?.close();
    throw isDamage(error) ? damagedAt(path) : error;
  }
}

/** The most pages that a connection keeps, in KiB. More saves no time, because the system caches the file as well. */
const CACHE_KIB = 4_000;

/** Databases without a file of their own: in memory, and temporary ones. */
const UNNAMED = [':memory:', ''];

/** An acknowledged write must survive a power failure, so the WAL is used with `synchronous = FULL`. */
function openDatabase(path: string, timeout: number): Database.Database {
  if (!UNNAMED.includes(path)) makeFolder(dirname(path), 0o700);
  const db = new Database(path, { timeout });
  try {
    if (!UNNAMED.includes(path)) chmodSync(path, 0o600);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    db.pragma('secure_delete = ON');
    db.pragma('trusted_schema = OFF');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function bringUpToDate(db: Database.Database, options: OpenOptions): void {
  const { path, migrations, now, beforeUpgrade } = options;
  if (isForeign(db)) throw damagedAt(path);
  const { lacking, unknown } = differenceOf(db, migrations);
  if (unknown.length > 0) throw newerAt(path);
  const [first] = lacking;
  if (first === undefined) return;
  if (holdsSomething(db)) {
    if (!beforeUpgrade) throw olderAt(path);
    beforeUpgrade(first);
  }
  migrate(db, migrations, now);
}

/** Whether the file belongs to another program. Every version of a board has a log. */
function isForeign(db: Database.Database): boolean {
  const tables = tablesOf(db).filter((name) => name !== 'migrations');
  return tables.length > 0 && !tables.includes('log_entries');
}

/** Whether the board contains an account or a log entry. */
function holdsSomething(db: Database.Database): boolean {
  const tables = tablesOf(db).filter((name) => name === 'operators' || name === 'log_entries');
  return tables.some((name) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() !== undefined);
}

function tablesOf(db: Database.Database): string[] {
  const names = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return (names as string[]).filter((name) => !/^(?:sqlite|_litestream)_/.test(name));
}

export function isDamage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^SQLITE_(?:CORRUPT|NOTADB)/.test(code);
}

function damagedAt(path: string): StoreError {
  return new StoreError(
    'damaged',
    `${path} is damaged, or is not a board's database. Stop the board, then restore a backup: opbench-board restore FILE --force`,
  );
}

function newerAt(path: string): StoreError {
  return new StoreError(
    'newer',
    `${path} was upgraded by a newer version of Opbench. Use that version, or a later one. To go back, restore the backup from before the upgrade: ${beforeFiles(path)}`,
  );
}

function olderAt(path: string): StoreError {
  return new StoreError(
    'older',
    `${path} was written by an earlier version of Opbench. Start the board once with this version to back up and upgrade the database`,
  );
}

/** Where the server puts its backups before an upgrade. */
function beforeFiles(path: string): string {
  return join(dirname(path), 'backups', 'before-*.sqlite');
}
