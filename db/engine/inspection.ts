import { statSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { boardKeysIn, secretsIn } from '../secrets.ts';
import { keptDaysIn } from '../kept-days.ts';
import { differenceOf, schemaFaults } from './migrate.ts';
import { openReadOnly } from './copy.ts';
import { closedAccounts } from './erasure.ts';
import { movesIn } from '../moves.ts';
import type { LogLeaf } from '../log.ts';
import { operatorsIn } from '../operators.ts';
import {
  type LoggedOperator,
  type PublicLogEntry,
  TAKES_PART,
  publicLogIn,
} from '../public-log.ts';
import { presentPacked } from '../packed/views.ts';
import { publicationsIn } from '../publications.ts';
import { replayedIn } from '../replayed.ts';
import { StoreError } from './store-error.ts';
import { statementsIn } from '../statements.ts';
import { tilesIn } from '../tiles.ts';

export interface LogHead {
  log_index: number;
  entry_hash: string;
}

/** The most faults of one kind that are reported. One damaged page can cause thousands. */
const MAX_TOLD = 20;

export type DatabaseInspection = ReturnType<typeof inspectDatabase>;

/**
 * Opens a board's database of any version read-only. It is never migrated or changed, and all reads see the same
 * moment. A server may write meanwhile.
 *
 * @throws {StoreError} `missing`, `wrong_kind`, or `damaged` if it cannot be read as a board's database.
 */
export function inspectDatabase(path: string) {
  const db = openToRead(path);
  try {
    return inspectionOf(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function inspectionOf(db: Database.Database) {
  const sql = statementsIn(db);
  // Works for every version, because nothing else that it reads was added later.
  const closed = closedAccounts(db);
  const kept = (column: string) =>
    `CASE WHEN operator_id IN (${closed}) THEN NULL ELSE ${column} END`;
  const entries = sql.iterate<(after: unknown) => IterableIterator<PublicLogEntry>>(`
    SELECT log_index, kind, previous, received_at, payload_digest, entry_hash,
      ${kept('operator_id')} AS operator_id, ${kept('salt')} AS salt, ${kept('payload')} AS payload,
      (SELECT answer FROM submissions s WHERE s.log_index = e.log_index) AS answer
    FROM log_entries e WHERE log_index > ? ORDER BY log_index`);
  const leaves = sql.iterate<
    (after: number) => IterableIterator<LogLeaf & Pick<LogHead, 'entry_hash'>>
  >(`
    SELECT log_index AS "index", kind, previous, received_at, payload_digest, entry_hash
    FROM log_entries WHERE log_index > ? ORDER BY log_index`);
  const boardKeys = boardKeysIn(db);

  return {
    /** The faults that SQLite finds in the file; empty if it is sound. */
    integrity(): string[] {
      try {
        const found = db.pragma(`integrity_check(${MAX_TOLD})`) as { integrity_check: string }[];
        return found.map((row) => row.integrity_check).filter((text) => text !== 'ok');
      } catch (error) {
        return [(error as Error).message];
      }
    },
    /** Rows whose reference is missing, as sentences. */
    dangling(): string[] {
      const rows = db.pragma('foreign_key_check') as { table: string; parent: string }[];
      const told = rows.map(
        ({ table, parent }) => `a row of ${table} refers to a missing row of ${parent}`,
      );
      return [...new Set(told)].slice(0, MAX_TOLD);
    },
    /** How the schema differs from that of the database's version, as sentences; null if a newer version made it. */
    schema: (directory: string) => schemaFaults(db, directory)?.slice(0, MAX_TOLD) ?? null,
    difference: (directory: string) => differenceOf(db, directory),
    head: () => headIn(db),
    hashAt: sql.value<(log_index: number) => string | undefined>(`
      SELECT entry_hash FROM log_entries WHERE log_index = ?`),
    /** All log entries after an index, one at a time. */
    entries: (after = 0) => entries(after),
    /** All log entries after an index, without their payloads. */
    leaves: (after: number) => leaves(after),
    /** All operators, as if each were public under their codename. */
    operators: sql.all<() => LoggedOperator[]>(`
      SELECT id, public_id, codename AS public_name, 1 AS takes_part FROM operators
      WHERE id NOT IN (${closed}) ORDER BY id`),
    /** The last entry of each operator whose entries the public log shows. */
    lastShown: () =>
      sql.all<() => { public_id: string; log_index: number }[]>(`
        SELECT public_id, max(e.log_index) AS log_index
        FROM operators o JOIN log_entries e ON e.operator_id = o.id
        WHERE ${TAKES_PART} AND o.id NOT IN (${closed}) AND salt IS NOT NULL
        GROUP BY o.id ORDER BY 2`)(),
    /** The operators with public pages that changed last by this log entry. */
    openUntil: (log_index: number) =>
      sql.all<(log_index: number) => { id: number; public_id: string }[]>(`
        SELECT id, public_id FROM operators
        WHERE is_open = 1 AND log_index BETWEEN 1 AND ? AND id NOT IN (${closed})`)(log_index),
    operatorCount: () => db.prepare('SELECT count(*) FROM operators').pluck().get() as number,
    boardKeys: () => boardKeys.all(),
    secret: (name: string) => secretsIn(db).byName(name),
    replayed: replayedIn(db),
    /** The Merkle tree over the log; null in a board of a version without it. */
    tiles: () => ((db.pragma('table_info(tiles)') as unknown[]).length > 0 ? tilesIn(db) : null),
    times: timesIn(db),
    /** How many emails to members wait; null in a board of a version without them. */
    waitingMails(): number | null {
      const columns = db.pragma('table_info(mail_queue)') as unknown[];
      if (columns.length === 0) return null;
      const waiting = db.prepare('SELECT count(*) FROM mail_queue WHERE due_at IS NOT NULL');
      return waiting.pluck().get() as number;
    },
    /** The size of the file, and how much of it is unused, in bytes. */
    space() {
      const of = (name: string) => db.pragma(name, { simple: true }) as number;
      const page = of('page_size');
      return { bytes: of('page_count') * page, unused: of('freelist_count') * page };
    },
    /**
     * How many rows are still stored in the form of an earlier version. Use it only if every migration of this program
     * was applied.
     */
    rowsToMove: () => movesIn(db).reduce((sum, { left }) => sum + left(), 0),
    /** The stored boards. Use it only if every migration of this program was applied. */
    boards: () => ({
      keptDays: keptDaysIn(db),
      operators: operatorsIn(db),
      publications: publicationsIn(db),
      publicLog: publicLogIn(db),
    }),
    close: () => void db.close(),
  };
}

function headIn(db: Database.Database): LogHead | null {
  const sql = statementsIn(db);
  const head = sql.get<() => LogHead | undefined>(`
    SELECT log_index, entry_hash FROM log_entries ORDER BY log_index DESC LIMIT 1`);
  return head() ?? null;
}

/** Opens a file and begins a transaction, so that all reads see the same moment. */
function openToRead(path: string): Database.Database {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new StoreError('missing', `The file ${path} does not exist`);
  if (!found.isFile())
    throw new StoreError('wrong_kind', `${path} is a folder or a device, not a file`);
  let db: Database.Database | null = null;
  try {
    db = openReadOnly(path);
    db.pragma('trusted_schema = OFF');
    db.exec('BEGIN');
    const tables = db
      .prepare(
        `SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view')
         AND name IN ('log_entries', 'migrations', 'operators', 'submissions', 'buckets')`,
      )
      .pluck()
      .get();
    if (tables === 5) {
      presentPacked(db);
      return db;
    }
  } catch (error) {
    db?.close();
    throw unreadable(path, error);
  }
  db.close();
  throw new StoreError('damaged', `${path} is not a board's database`);
}

function unreadable(path: string, error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === 'SQLITE_NOTADB') {
    return new StoreError(
      'damaged',
      `${path} is not a board's database, because it is not an SQLite file`,
    );
  }
  if (typeof code === 'string' && code.startsWith('SQLITE_CANTOPEN')) {
    const advice = 'Run this as a user with read and write access, such as the user of the service';
    return new StoreError('damaged', `Cannot open ${path}. ${advice}`, { cause: error });
  }
  if (typeof code === 'string' && /^SQLITE_(CORRUPT|IOERR|READONLY)/.test(code)) {
    return new StoreError('damaged', `Cannot read ${path}: ${message}`, { cause: error });
  }
  return error;
}

/** When events that an admin monitors last happened; null if never, or if an earlier version did not record them. */
function timesIn(db: Database.Database) {
  /** A database of an earlier version may lack a column. */
  const read = (sql: string): string | null => {
    try {
      return (db.prepare(sql).pluck().get() ?? null) as string | null;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'SQLITE_ERROR') return null;
      throw error;
    }
  };
  return {
    entry: () => read('SELECT max(received_at) FROM log_entries'),
    publication: () => read('SELECT max(public_at) FROM publications'),
    backup: () => read(`SELECT max(created_at) FROM audit_log WHERE action = 'backup'`),
  };
}
