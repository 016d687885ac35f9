/** Changes that someone could make to the database, and what `verify` reports about each. */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import type { DayChunk } from '#core/domain/board/day-chunk.ts';
import type { DayRow } from '#core/domain/board/day-row.ts';
import { entryHash, payloadDigest } from '#core/domain/log/log-entry.ts';
import { keptDaysIn } from '#db/kept-days.ts';
import { addDay, rowsIn } from './kept-days.ts';
import { editCounts } from './editable-counts.ts';

export type Change = (db: Database.Database) => void;

export const sql =
  (text: string): Change =>
  (db) =>
    editCounts(db, text);

const OF_ADA = "(SELECT id FROM operators WHERE codename = 'ada')";
const FIRST_SNAPSHOT = `(SELECT min(log_index) FROM log_entries WHERE kind = 'snapshot'
  AND operator_id = ${OF_ADA})`;

/** Changes that `verify` must find, with the code of the finding and a part of its message. */
export const CHANGES: Readonly<Record<string, { change: Change; code: string; says: string }>> = {
  'a byte of a payload': {
    change: sql(`UPDATE log_entries
      SET payload = CAST(replace(CAST(payload AS TEXT), '"bob"', '"bo8"') AS BLOB)
      WHERE kind = 'visibility'`),
    code: 'payload_digest',
    says: 'do not match its digest',
  },
  'two swapped signatures, with all hashes recomputed': {
    change: swapSignatures,
    code: 'signature_invalid',
    says: 'did not sign these bytes',
  },
  'a receipt of another entry': {
    change: sql(`UPDATE submissions SET answer = (SELECT answer FROM submissions ORDER BY 1 LIMIT 1)
      WHERE log_index = (SELECT max(log_index) FROM submissions)`),
    code: 'receipt_invalid',
    says: "receipt's log_index",
  },
  'an unreadable receipt': {
    change: sql(`UPDATE submissions SET answer = 'no' WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'receipt_invalid',
    says: 'receipt of entry',
  },
  'a deleted entry': {
    change: sql('DELETE FROM log_entries WHERE log_index = 20'),
    code: 'entry_misplaced',
    says: 'entry 21 comes where entry 20 should be',
  },
  'a hash that does not belong to the Merkle tree': {
    change: sql('INSERT INTO tiles VALUES (1, 0, zeroblob(32))'),
    code: 'tile',
    says: '1 stored tiles do not belong to the tree',
  },
  'a payload deleted without an erasure': {
    change: sql(`UPDATE log_entries SET payload = NULL, salt = NULL
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'payload_missing',
    says: 'no payload',
  },
  'an entry of another account': {
    change:
      sql(`UPDATE log_entries SET operator_id = (SELECT id FROM operators WHERE codename = 'bob')
      WHERE kind = 'visibility' AND operator_id = ${OF_ADA}`),
    code: 'entry_owner',
    says: 'belongs to another account (bob)',
  },
  'a snapshot of another account': {
    change:
      sql(`UPDATE log_entries SET operator_id = (SELECT id FROM operators WHERE codename = 'gus')
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'entry_owner',
    says: 'belongs to another account (gus)',
  },
  'an entry without its owner': {
    change: sql(`UPDATE log_entries SET operator_id = NULL WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'entry_owner',
    says: 'must belong to an account',
  },
  'a daily count with other tokens': {
    change: sql(`UPDATE buckets SET output = output + 1
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-21' AND tool = 'claude-code'`),
    code: 'bucket',
    says: '2026-02-21, claude-code',
  },
  'a daily count that does not count': {
    change: sql(`UPDATE buckets SET counts = 0
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-22' AND tool = 'claude-code'`),
    code: 'bucket',
    says: 'differs from the log (ada)',
  },
  'a missing daily count': {
    change: sql(`DELETE FROM buckets WHERE operator_id = ${OF_ADA} AND day = '2026-02-23'`),
    code: 'bucket',
    says: 'is missing (ada)',
  },
  'a daily count without a submission': {
    change:
      sql(`INSERT INTO buckets (operator_id, day, tool, device_id, provider, model, input, output,
        cache_write, cache_read, log_index, counts)
      SELECT operator_id, '2026-03-09', tool, device_id, provider, model, input, output,
        cache_write, cache_read, log_index, counts FROM buckets
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-24'`),
    code: 'bucket',
    says: '2026-03-09',
  },
  'other packed counts': {
    change: sql(`UPDATE usage_blocks SET body = zeroblob(length(body))
      WHERE operator_id = ${OF_ADA}`),
    code: 'bucket',
    says: 'the packed counts of 2026-02 differ from the daily counts (ada)',
  },
  'missing packed counts': {
    change: sql(`DELETE FROM usage_blocks WHERE operator_id = ${OF_ADA}`),
    code: 'bucket',
    says: 'the packed counts of 2026-02 differ from the daily counts (ada)',
  },
  'a missing submission': {
    change: sql(`DELETE FROM submissions WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_missing',
    says: 'is not stored (ada)',
  },
  'a submission without its entry': {
    change: sql(`UPDATE submissions SET log_index = 1 WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_stray',
    says: 'the submission of entry 1 ',
  },
  'a submission of another device': {
    change: sql(`UPDATE submissions SET device_id =
      (SELECT min(d.id) FROM devices d JOIN operators o ON o.id = d.operator_id WHERE codename = 'bob')
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_stray',
    says: 'does not match an entry of its operator',
  },
  'a submission on hold without a decision': {
    change: sql(`UPDATE submissions SET state = 'held' WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_state',
    says: 'stored as held, but the log says accepted (ada)',
  },
  'a revoked key that is active again': {
    change: sql('UPDATE device_keys SET revoked_at = NULL, revoked_reason = NULL'),
    code: 'stored_key',
    says: 'differs from the log (bob)',
  },
  'a changed device key': {
    change: sql(`UPDATE device_keys SET public_key = zeroblob(32)
      WHERE device_id = (SELECT min(id) FROM devices WHERE operator_id = ${OF_ADA})`),
    code: 'stored_key',
    says: 'differs from the log',
  },
  'a missing device key': {
    change: sql(`DELETE FROM device_keys WHERE device_id =
      (SELECT min(id) FROM devices WHERE operator_id = ${OF_ADA})`),
    code: 'stored_key',
    says: 'not stored (ada)',
  },
  'a changed privacy mode': {
    change: sql(
      "UPDATE operators SET privacy_mode = 'pseudonymous' WHERE privacy_mode = 'private'",
    ),
    code: 'stored_view',
    says: 'differs from the log (dan)',
  },
  'a place on an earlier board': {
    change: onEarlierBoard((rows) => {
      const [first, ...rest] = rows;
      const [last] = rest.slice(-1);
      return [{ ...(last as DayRow), operator_id: first?.operator_id ?? 0 }, ...rest];
    }),
    code: 'standing',
    says: 'the daily board of 2026-03-10: ada',
  },
  'an operator removed from an earlier board': {
    change: onEarlierBoard(([, ...rest]) => rest),
    code: 'row_missing',
    says: 'lacks the row of ada',
  },
  'an earlier board without values': {
    change: sql('DELETE FROM day_values'),
    code: 'board_stated',
    says: 'its values are missing',
  },
  'changed days and tools of a submission': {
    change: sql(`UPDATE submissions SET first_day = '2026-01-01', tools = '["codex"]'
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'first_day, tools (ada)',
  },
  'a changed submission_id': {
    change: sql(`UPDATE submissions SET submission_id = id WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'submission_id (ada)',
  },
  'a changed answer to the sender': {
    change:
      sql(`UPDATE submissions SET answer = json_set(answer, '$.records', 1, '$.proof.salt', 'ab')
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'answer (records), answer (proof)',
  },
  'an operator hidden without a decision': {
    change: sql(
      `UPDATE operators SET hidden_at = '2026-03-01T00:00:00.000Z' WHERE codename = 'ada'`,
    ),
    code: 'stored_view',
    says: 'the log says not hidden (ada)',
  },
  'a hidden operator shown again': {
    change: sql('UPDATE operators SET hidden_at = NULL'),
    code: 'stored_view',
    says: 'the log says hidden (fay)',
  },
  'a private operator made public': {
    change: sql("UPDATE operators SET public_name = codename, is_open = 1 WHERE codename = 'dan'"),
    code: 'stored_view',
    says: 'does not match the privacy mode (dan)',
  },
  'a missing board key': {
    change: sql('DELETE FROM board_keys'),
    code: 'stored_key',
    says: 'is in the log, but not stored',
  },
  'a changed board key': {
    change: sql('UPDATE board_keys SET public_key = randomblob(32)'),
    code: 'stored_key',
    says: 'differs from the log',
  },
  'a changed secret of a board key': {
    change: sql('UPDATE board_keys SET secret_key = randomblob(32)'),
    code: 'stored_key',
    says: 'belongs to another key',
  },
  'a trigger': {
    change: sql('CREATE TRIGGER evil AFTER INSERT ON log_entries BEGIN DELETE FROM operators; END'),
    code: 'database',
    says: 'the trigger evil',
  },
  'a missing index': {
    change: sql('DROP INDEX devices_self_reporting'),
    code: 'database',
    says: 'the index devices_self_reporting is missing',
  },
  'a table with another column': {
    change: sql('ALTER TABLE operators ADD COLUMN more TEXT'),
    code: 'database',
    says: 'the table operators differs',
  },
  'a row with a missing reference': {
    change: sql(
      'UPDATE sessions SET operator_id = 999; UPDATE account_events SET operator_id = 999',
    ),
    code: 'reference',
    says: 'a row of account_events refers to a missing row of operators',
  },
};

/** Changes the rows of all slices on earlier days. */
function onEarlierBoard(change: (rows: DayRow[]) => DayRow[]): Change {
  return (db) => {
    db.pragma('foreign_keys = ON');
    const days = keptDaysIn(db);
    const chunks = db.prepare('SELECT day, tool, trust, chunk FROM day_places').all() as {
      day: string;
      tool: string;
      trust: 'all' | 'signed';
      chunk: number;
    }[];
    const remove = db.prepare('DELETE FROM day_places WHERE day = ? AND tool = ? AND trust = ?');
    for (const { day, tool, trust, chunk } of chunks) {
      const slice = { tool: tool === '' ? null : tool, trust };
      const rows = rowsIn(days.chunk(day, slice, chunk) as DayChunk);
      remove.run(day, tool, trust);
      addDay(days, day, slice, change(rows));
    }
  };
}

/** Does what an admin with the database, but without the device keys, could do. */
export function swapSignatures(db: Database.Database): void {
  type Row = Record<'kind' | 'previous' | 'received_at', string> & {
    log_index: number;
    payload: Buffer | null;
    salt: Buffer | null;
    payload_digest: string;
  };
  const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
  const rows = db.prepare('SELECT * FROM log_entries ORDER BY log_index').all() as Row[];
  const signed = rows.filter(({ kind, payload }) => kind === 'snapshot' && payload !== null);
  const [a, b] = signed.map(({ payload }) => JSON.parse(String(payload)));
  [a.signatures[0].sig, b.signatures[0].sig] = [b.signatures[0].sig, a.signatures[0].sig];
  [a, b].forEach((envelope, index) => {
    (signed[index] as Row).payload = Buffer.from(JSON.stringify(envelope));
  });
  const update = db.prepare(
    'UPDATE log_entries SET payload = ?, payload_digest = ?, previous = ?, entry_hash = ? WHERE log_index = ?',
  );
  let previous = (rows[0] as Row).previous;
  for (const { log_index: index, kind, received_at, payload, salt, payload_digest } of rows) {
    const digest = payload && salt ? payloadDigest(salt, payload, sha256) : payload_digest;
    const head = { index, kind, previous, received_at } as Parameters<typeof entryHash>[0];
    const hash = entryHash(head, digest, sha256);
    update.run(payload, digest, previous, hash, index);
    previous = hash;
  }
}
