/** Writes log entries and submissions in packed form. */
import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { dayNumber } from '#core/domain/counting/day.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import type { LogKind } from '#core/schema/log.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import { statementsIn } from '../statements.ts';
import { factsOfAnswer } from './answers.ts';
import { type Dictionary, packPayload } from './payload-forms.ts';
import { uuidBytes } from './uuid-bytes.ts';
import { wordsIn } from './words.ts';

export interface EntryRow {
  log_index: number;
  kind: LogKind;
  previous: string;
  received_at: string;
  payload_digest: string;
  entry_hash: string;
  operator_id: number | null;
  salt: Uint8Array | null;
  payload: Uint8Array | null;
}

export interface SubmissionColumns {
  log_index: number;
  id: string;
  operator_id: number;
  device_id: number;
  keyid: string | null;
  submission_id: string;
  idempotency_key_hash: string | null;
  payload_hash: string;
  collector_name: string | null;
  collector_version: string | null;
  records: number;
  days: number;
  first_day: string;
  last_day: string;
  tools: string;
  /** The days that it states; null if none. Absent in rows of earlier versions. */
  covers_from?: string | null;
  covers_to?: string | null;
  state: SubmissionState;
  answer: string;
}

/** An entry that was just packed, as its submission's row needs it. */
export interface PackedEntry extends Pick<EntryRow, 'entry_hash' | 'previous' | 'received_at'> {
  /** Hex; empty once it was erased. */
  salt: string;
  /** What the hash of a submission is usually about: see {@linkcode packPayload}. */
  content: Uint8Array | null;
  /** The key that signed it, or the empty text, and the word of either. */
  keyid: string;
  mark: number | null;
}

/** What a row that is written and signed by nobody has in place of a key. */
const NO_KEY = '';

const ERASED = { form: 0, payload: null, keyid: null, content: null };

export function packedRowsIn(db: Database) {
  const sql = statementsIn(db);
  const words = wordsIn(db);
  const newestDictionary = sql.get<() => Dictionary>(
    'SELECT id, body FROM dictionaries ORDER BY id DESC LIMIT 1',
  );
  let dictionary: Dictionary | null = null;
  const insertEntry = sql.run<(of: object) => void>(`
    INSERT INTO packed_entries (log_index, kind, received_at, payload_digest, entry_hash, operator_id,
      mark, salt, form, payload)
    VALUES (@log_index, nullif(@kind, 'snapshot'), @received_ms, @digest, @hash, @operator_id,
      @mark, @salt, @form, @payload)`);
  const count = sql.run<(bytes: number, id: number) => void>(`
    UPDATE operators SET logged_bytes = logged_bytes + @bytes WHERE id = @id`);
  const insertSubmission = sql.run<(of: object) => void>(`
    INSERT INTO packed_submissions (log_index, id, operator_id, device_id, mark, submission_id, words,
      idempotency_key_hash, payload_hash, records, days, first_day, last_day, covers_from, covers_to, decided, signature, answer)
    VALUES (@log_index, @uuid, @operator_id, @device_id, @mark, @sent_id, @words,
      unhex(@idempotency_key_hash), unhex(@hash), @records, @days, @from, @to, @covers_from, @covers_to,
      nullif(@state, 'accepted'), @signature, @text)`);
  /** The word of the key that signed a submission, which its entry usually has as well. */
  function markOf({ operator_id, keyid }: SubmissionColumns, entry: PackedEntry): number {
    const signer = keyid ?? NO_KEY;
    const known = signer === entry.keyid ? entry.mark : null;
    const mark = known ?? words.idOf(operator_id, signer);
    return keyid === null ? -mark : mark;
  }

  return {
    /** @param value The payload, if it is known. */
    addEntry(row: EntryRow, value?: object): PackedEntry {
      const { operator_id, payload, entry_hash, previous, received_at, salt } = row;
      dictionary ??= newestDictionary();
      const packed = payload ? packPayload(payload, dictionary, value) : ERASED;
      const keyid = packed.keyid ?? NO_KEY;
      const mark = operator_id === null ? null : words.idOf(operator_id, keyid);
      insertEntry({
        ...row,
        received_ms: Date.parse(row.received_at),
        digest: Buffer.from(row.payload_digest, 'hex'),
        hash: Buffer.from(row.entry_hash, 'hex'),
        mark,
        form: packed.form,
        payload: packed.payload,
      });
      if (operator_id !== null && payload) count(payload.length, operator_id);
      const { content } = packed;
      const chained = { entry_hash, previous, received_at, salt: salt ? hex(salt) : '' };
      return { ...chained, content, keyid, mark };
    },
    /** Adds the submission of an entry that was packed in the same transaction. */
    addSubmission(row: SubmissionColumns, entry: PackedEntry) {
      const { operator_id, log_index, id, submission_id, records, keyid } = row;
      const { entry_hash, previous, salt } = entry;
      const received_at = new Date(entry.received_at).toISOString();
      const known = {
        entry_hash,
        previous,
        salt,
        id,
        submission_id,
        records,
        log_index,
        received_at,
      };
      const answer = factsOfAnswer(row.answer, known);
      const { collector_name, collector_version, tools } = row;
      const told = [
        keyid,
        collector_name,
        collector_version,
        tools,
        answer?.ruleset,
        answer?.keyid,
      ];
      insertSubmission({
        ...row,
        uuid: uuidBytes(id),
        sent_id: uuidBytes(submission_id),
        mark: markOf(row, entry),
        words: words.idOf(operator_id, JSON.stringify(told)),
        hash: row.payload_hash === hashOf(entry.content) ? null : row.payload_hash,
        from: dayNumber(row.first_day),
        to: dayNumber(row.last_day),
        covers_from: row.covers_from ? dayNumber(row.covers_from) : null,
        covers_to: row.covers_to ? dayNumber(row.covers_to) : null,
        signature: answer?.signature ?? null,
        text: answer ? null : row.answer,
      });
    },
  };
}

function hashOf(content: Uint8Array | null): string | null {
  return content && hash('sha256', content, 'hex');
}
