/**
 * Finds data of a deleted account in unused parts of the file. `secure_delete` overwrites what is deleted, but not
 * the copy that remains when SQLite moves a row to another page. About four of a thousand deletions are affected. So
 * the file is searched, and rewritten if anything is found.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { withoutViews } from '../packed/views.ts';
import { statementsIn } from '../statements.ts';
import { withWriteLock } from './write-lock.ts';

/** Bytes that identify an account wherever they are in the file. */
export type Marks = readonly Uint8Array[];

/** Bytes read at a time. The longest mark is much shorter. */
const PIECE_BYTES = 8 * 1024 * 1024;
const OVERLAP_BYTES = 256;
/** The most bytes of a mark made of daily counts, and the fewest that no other row contains by chance. */
const MARK_BYTES = 200;
const DISTINCT_BYTES = 24;
const MARKED_SOURCES = 2;

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

  const passkeys = sql.values<(of: object) => Uint8Array[]>(`
    SELECT substr(credential_id, 1, ${MARK_BYTES}) FROM passkeys
    WHERE identity_id IN (SELECT id FROM identities WHERE operator_id = @id)`);

  // Their content is compressed, but each has a random number that only rows of this account have.
  const packed = sql.values<(of: object) => number[]>(`
    SELECT id FROM words WHERE operator_id = @id AND (text = '' OR text IN (
      SELECT keyid FROM device_keys WHERE device_id IN (SELECT id FROM devices WHERE operator_id = @id)))`);

  // Each mark is a search of the whole file, so only a few of the rows with daily counts have one.
  const sources = sql.tuples<(of: object) => [number, string][]>(`
    SELECT source, tool || provider || model FROM sources WHERE operator_id = @id
    ORDER BY source LIMIT ${MARKED_SOURCES}`);
  const blocks = sql.values<(of: object) => Uint8Array[]>(`
    SELECT substr(body, 1, ${MARK_BYTES}) FROM usage_blocks
    WHERE operator_id = @id AND length(body) >= ${DISTINCT_BYTES} ORDER BY month DESC LIMIT 1`);

  const addresses = sql.values<(of: object) => Uint8Array[]>(`
    SELECT address FROM member_mail WHERE operator_id = @id AND address IS NOT NULL`);

  return {
    marksOf(id: number): Marks {
      const ofIds = ids({ id }).map((text) => Buffer.from(text));
      const ofNames = names({ id }).map((name) => nameWithId(name, id));
      const ofSources = sources({ id }).map(([source, text]) => sourceRow(id, source, text));
      const ofWords = packed({ id }).flatMap((word) => [word, -word].map(sixBytes));
      const ofKeys = passkeys({ id });
      return [
        ...ofIds,
        ...ofNames,
        ...ofKeys,
        ...ofWords,
        ...ofSources,
        ...blocks({ id }),
        ...addresses({ id }),
      ];
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
      withoutViews(db, () => withWriteLock(db, () => db.exec('VACUUM')));
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
  return Buffer.concat([Buffer.from(name), integerBytes(id)]);
}

/** The names of a source as its row contains them, after the account's ID and the source's number. */
function sourceRow(id: number, source: number, names: string): Uint8Array {
  const row = Buffer.concat([integerBytes(id), integerBytes(source), Buffer.from(names)]);
  return row.subarray(0, MARK_BYTES);
}

function integerBytes(integer: number): Uint8Array {
  // The values 0 and 1 take no bytes.
  if (integer < 2) return Buffer.alloc(0);
  const digits = integer.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  // The sign bit may need a byte of its own.
  return (bytes[0] as number) > 0x7f ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

/** A number of 6 bytes as rows contain it. */
function sixBytes(number: number): Uint8Array {
  const bytes = Buffer.alloc(6);
  bytes.writeIntBE(number, 0, 6);
  return bytes;
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
