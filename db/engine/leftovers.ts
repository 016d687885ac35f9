/**
 * Finds data of a deleted account in unused parts of the file. `secure_delete` overwrites what is deleted, but not
 * the copy that remains when SQLite moves a row to another page. About four of a thousand deletions are affected. So
 * the file is searched, and rewritten if anything is found.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { statementsIn } from '../statements.ts';
import { withWriteLock } from './write-lock.ts';

/** Bytes that identify an account wherever they are in the file. */
export type Marks = readonly Uint8Array[];

/** Bytes read at a time. The longest mark is much shorter. */
const PIECE_BYTES = 8 * 1024 * 1024;
const OVERLAP_BYTES = 256;

export function leftoversIn(db: Database) {
  const sql = statementsIn(db);
  const ids = sql.values<(of: object) => string[]>(`
    WITH own AS (SELECT id, public_id FROM devices WHERE operator_id = @id)
    SELECT public_id FROM operators WHERE id = @id
    UNION SELECT public_id FROM own
    UNION SELECT keyid FROM device_keys WHERE device_id IN (SELECT id FROM own)
    UNION SELECT id_hash FROM sessions WHERE operator_id = @id
    UNION SELECT subject FROM identities WHERE operator_id = @id
    UNION SELECT hash FROM avatars WHERE operator_id = @id
    UNION SELECT id FROM contact_messages WHERE operator_id = @id`);
  const names = sql.values<(of: object) => string[]>(`
    SELECT codename FROM operators WHERE id = @id
    UNION SELECT public_name FROM operators WHERE id = @id AND public_name IS NOT NULL
    UNION SELECT codename FROM former_codenames WHERE operator_id = @id`);

  return {
    marksOf(id: number): Marks {
      const ofIds = ids({ id }).map((text) => Buffer.from(text));
      const ofNames = names({ id }).map((name) => nameWithId(name, id));
      return [...ofIds, ...ofNames];
    },
    /**
     * Searches a part of the file, which takes milliseconds. Returns where the next part begins; null after the last. The
     * write-ahead log must have been emptied since the account was deleted: later writes make no copies of it.
     */
    search(marks: Marks, at: number): { isFound: boolean; next: number | null } {
      const piece = pieceAt(db.name, at);
      const isFound = marks.some((mark) => piece.indexOf(mark) >= 0);
      return {
        isFound,
        next: piece.length < PIECE_BYTES ? null : at + PIECE_BYTES - OVERLAP_BYTES,
      };
    },
    /** Rewrites the whole file. No other process can write meanwhile: about a second for 200 MB. */
    rewrite() {
      withWriteLock(db, () => db.exec('VACUUM'));
    },
  };
}

/**
 * A name as tables and indexes store it, followed by the account's ID. A short name alone would be found in many
 * places.
 *
 * @see {@link https://www.sqlite.org/fileformat2.html#record_format | SQLite's record format}
 */
function nameWithId(name: string, id: number): Uint8Array {
  const digits = id.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  // The sign bit may need a byte of its own. The value 1 takes none.
  const signed = (bytes[0] as number) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
  return Buffer.concat([Buffer.from(name), id === 1 ? Buffer.alloc(0) : signed]);
}

function pieceAt(path: string, at: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    return piece.subarray(0, readSync(file, piece, 0, PIECE_BYTES, at));
  } finally {
    closeSync(file);
  }
}
