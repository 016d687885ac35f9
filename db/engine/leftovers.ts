/**
 * Finds data of a deleted account in unused parts of the file. `secure_delete` overwrites what is deleted, but not
 * the copy that remains when SQLite moves a row to another page. About four of a thousand deletions are affected. So
 * the file is searched, and rewritten if anything is found.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { withoutViews } from '../packed/views.ts';
import { statementsIn } from '../statements.ts';

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

  // Their content is compressed, but each has a random number that only rows of this account have.
  const packed = sql.values<(of: object) => number[]>(`
    SELECT id FROM words WHERE operator_id = @id AND (text = '' OR text IN (
      SELECT keyid FROM device_keys WHERE device_id IN (SELECT id FROM devices WHERE operator_id = @id)))`);

  return {
    marksOf(id: number): Marks {
      const ofIds = ids({ id }).map((text) => Buffer.from(text));
      const ofNames = names({ id }).map((name) => nameWithId(name, id));
      return [
        ...ofIds,
        ...ofNames,
        ...packed({ id }).flatMap((word) => [word, -word].map(sixBytes)),
      ];
    },
    /** Whether the file contains any of the marks. The write-ahead log must be empty. */
    holds(marks: Marks): boolean {
      const isMarked = (piece: Buffer) => marks.some((mark) => piece.indexOf(mark) >= 0);
      return marks.length > 0 && somePiece(db.name, isMarked);
    },
    /** Rewrites the whole file. No other process can write meanwhile: about a second for 200 MB. */
    rewrite() {
      withoutViews(db, () => db.exec('VACUUM'));
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

/** A number of 6 bytes as rows contain it. */
function sixBytes(number: number): Uint8Array {
  const bytes = Buffer.alloc(6);
  bytes.writeIntBE(number, 0, 6);
  return bytes;
}

function somePiece(path: string, fits: (piece: Buffer) => boolean): boolean {
  const file = openSync(path, 'r');
  const piece = Buffer.alloc(PIECE_BYTES);
  try {
    for (let at = 0; ; at += PIECE_BYTES - OVERLAP_BYTES) {
      const read = readSync(file, piece, 0, PIECE_BYTES, at);
      if (fits(piece.subarray(0, read))) return true;
      if (read < PIECE_BYTES) return false;
    }
  } finally {
    closeSync(file);
  }
}
