import type { Database } from 'better-sqlite3';
import { type Move, MoveError } from './engine/moves.ts';
import { statementsIn } from './statements.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { type EntryRow, type SubmissionColumns, packedRowsIn } from './packed/packed-rows.ts';

/** How long one piece may take before it is stored, in milliseconds, and the most rows that it has. */
const PIECE_MS = 6;
const PIECE_ROWS = 200;

/** Moves log entries and their submissions, oldest first. */
export function logMove(db: Database): Move {
  const sql = statementsIn(db);
  const rows = packedRowsIn(db);
  const next = sql.get<(after: number) => EntryRow | undefined>(`
    SELECT * FROM main.log_entries WHERE log_index > ? ORDER BY log_index LIMIT 1`);
  const submission = sql.get<(log_index: number) => SubmissionColumns | undefined>(`
    SELECT * FROM main.submissions WHERE log_index = ?`);
  const remove = ['submissions', 'log_entries'].map((table) =>
    sql.run<(log_index: number) => void>(`DELETE FROM main.${table} WHERE log_index = ?`),
  );
  const moved = sql.get<(log_index: number) => EntryRow | undefined>(`
    SELECT * FROM log_entries WHERE log_index = ?`);
  const movedSubmission = sql.get<(log_index: number) => SubmissionColumns | undefined>(`
    SELECT * FROM submissions WHERE log_index = ?`);
  const left = sql.value<() => number>('SELECT count(*) FROM main.log_entries');
  /** The last row that was tried. Rows before it that are still there could not be moved. */
  let after = 0;
  let failures: string[] = [];

  const moveRow = db.transaction((entry: EntryRow) => {
    const { log_index } = entry;
    const sent = submission(log_index);
    remove.forEach((each) => each(log_index));
    const packed = rows.addEntry(entry);
    if (sent) rows.addSubmission(sent, packed);
    const differing = [
      ...differences(entry, moved(log_index)),
      ...(sent ? differences(sent, movedSubmission(log_index)) : []),
    ];
    if (differing.length > 0) throw new MoveError(`entry ${log_index}: ${differing.join(', ')}`);
  });

  const movePiece = (): boolean => {
    const end = performance.now() + PIECE_MS;
    let count = 0;
    do {
      const entry = next(after);
      if (!entry) return false;
      // Rolls back only this row.
      try {
        moveRow(entry);
      } catch (error) {
        if (!isAboutRow(error)) throw error;
        failures.push(failureOf(error, entry));
      }
      after = entry.log_index;
      count += 1;
    } while (count < PIECE_ROWS && performance.now() < end);
    return true;
  };

  return {
    name: 'log',
    left,
    step() {
      const before = { after, failures: [...failures] };
      try {
        if (writeTransaction(db, movePiece)) return true;
      } catch (error) {
        // The whole piece was rolled back.
        ({ after, failures } = before);
        throw error;
      }
      const told = failures;
      [after, failures] = [0, []];
      if (told.length === 0) return false;
      throw new MoveError(`${told.length} log entries cannot be restored exactly: ${told[0]}`);
    },
  };
}

function failureOf(error: unknown, { log_index }: EntryRow): string {
  if (error instanceof MoveError) return error.message;
  return `entry ${log_index}: ${error instanceof Error ? error.name : 'unknown'}`;
}

/** Whether a row is the cause, and not the disk or another process. */
function isAboutRow(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return (
    !(typeof code === 'string' && code.startsWith('SQLITE_')) ||
    code.startsWith('SQLITE_CONSTRAINT')
  );
}

/** The columns of a row that are not the same after it was moved. */
function differences<Row extends object>(row: Row, found: Row | undefined): string[] {
  return Object.entries(row).flatMap(([column, value]) => {
    const other: unknown = found?.[column as keyof Row];
    const isSame =
      value instanceof Uint8Array && other instanceof Uint8Array
        ? Buffer.compare(value, other) === 0
        : value === other;
    return isSame ? [] : [column];
  });
}
