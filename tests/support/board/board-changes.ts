/** What a hand on the database can change, and what `verify` calls it. */
import { createHash } from 'node:crypto';
import type Database from 'better-sqlite3';
import { entryHash, payloadDigest } from '#core/domain/log/log-entry.ts';

export type Change = (db: Database.Database) => void;

export const sql =
  (text: string): Change =>
  (db) =>
    void db.exec(text);

const OF_ADA = "(SELECT id FROM operators WHERE codename = 'ada')";
const FIRST_SNAPSHOT = `(SELECT min(log_index) FROM log_entries WHERE kind = 'snapshot'
  AND operator_id = ${OF_ADA})`;

/** What nobody may change unseen, and what it is found by. */
export const CHANGES: Readonly<Record<string, { change: Change; code: string; says: string }>> = {
  'a byte of a payload': {
    change: sql(`UPDATE log_entries
      SET payload = CAST(replace(CAST(payload AS TEXT), '"bob"', '"bo8"') AS BLOB)
      WHERE kind = 'visibility'`),
    code: 'payload_digest',
    says: 'do not match its digest',
  },
  'two signatures that changed places, with all hashes made anew': {
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
  'a receipt that is none': {
    change: sql(`UPDATE submissions SET answer = 'no' WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'receipt_invalid',
    says: 'receipt of entry',
  },
  'an entry that is deleted': {
    change: sql('DELETE FROM log_entries WHERE log_index = 20'),
    code: 'entry_misplaced',
    says: 'entry 21 comes where entry 20 should be',
  },
  'a payload that is deleted, but by no erasure': {
    change: sql(`UPDATE log_entries SET payload = NULL, salt = NULL
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'payload_missing',
    says: 'though no erasure names',
  },
  'an entry of another account': {
    change:
      sql(`UPDATE log_entries SET operator_id = (SELECT id FROM operators WHERE codename = 'bob')
      WHERE kind = 'visibility' AND operator_id = ${OF_ADA}`),
    code: 'entry_owner',
    says: 'is of another account (bob)',
  },
  'a snapshot of another account': {
    change:
      sql(`UPDATE log_entries SET operator_id = (SELECT id FROM operators WHERE codename = 'gus')
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'entry_owner',
    says: 'is of another account (gus)',
  },
  'an entry of nobody': {
    change: sql(`UPDATE log_entries SET operator_id = NULL WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'entry_owner',
    says: 'belongs to no account',
  },
  'a bucket with other tokens': {
    change: sql(`UPDATE buckets SET output = output + 1
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-21' AND tool = 'claude-code'`),
    code: 'bucket',
    says: 'the bucket of 2026-02-21, claude-code',
  },
  'a bucket that does not count': {
    change: sql(`UPDATE buckets SET counts = 0
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-22' AND tool = 'claude-code'`),
    code: 'bucket',
    says: 'is another by the log (ada)',
  },
  'a bucket that is missing': {
    change: sql(`DELETE FROM buckets WHERE operator_id = ${OF_ADA} AND day = '2026-02-23'`),
    code: 'bucket',
    says: 'is missing by the log (ada)',
  },
  'a bucket that nobody sent': {
    change:
      sql(`INSERT INTO buckets SELECT operator_id, '2026-03-09', tool, device_id, provider, model, input,
      output, cache_write, cache_read, log_index, counts, NULL, NULL, NULL, NULL, NULL FROM buckets
      WHERE operator_id = ${OF_ADA} AND day = '2026-02-24'`),
    code: 'bucket',
    says: 'the bucket of 2026-03-09',
  },
  'a submission that is missing': {
    change: sql(`DELETE FROM submissions WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_missing',
    says: 'is a submission, but none is stored (ada)',
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
    says: "is not in the log as its operator's",
  },
  'a submission that is held, but by nobody': {
    change: sql(`UPDATE submissions SET state = 'held' WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_state',
    says: 'is held, and accepted by the log (ada)',
  },
  'a key that may sign again': {
    change: sql('UPDATE device_keys SET revoked_at = NULL, revoked_reason = NULL'),
    code: 'stored_key',
    says: 'is not stored as the log enrolled it (bob)',
  },
  "a device's other key": {
    change: sql(`UPDATE device_keys SET public_key = zeroblob(32)
      WHERE device_id = (SELECT min(id) FROM devices WHERE operator_id = ${OF_ADA})`),
    code: 'stored_key',
    says: 'is not stored as the log enrolled it',
  },
  'a key that is missing': {
    change: sql(`DELETE FROM device_keys WHERE device_id =
      (SELECT min(id) FROM devices WHERE operator_id = ${OF_ADA})`),
    code: 'stored_key',
    says: 'is enrolled by the log, but not stored (ada)',
  },
  'an operator who is seen otherwise': {
    change: sql(
      "UPDATE operators SET privacy_mode = 'pseudonymous' WHERE privacy_mode = 'private'",
    ),
    code: 'stored_view',
    says: 'differ from the log (dan)',
  },
  'a place on an earlier board': {
    change:
      sql(`UPDATE daily_standings SET body = (SELECT body FROM daily_standings WHERE operator_id =
      (SELECT id FROM operators WHERE codename = 'gus') LIMIT 1) WHERE operator_id = ${OF_ADA}`),
    code: 'standing',
    says: 'the daily board of 2026-03-10: ada',
  },
  'somebody who is no more on an earlier board': {
    change: sql(`DELETE FROM daily_standings WHERE operator_id = ${OF_ADA}`),
    code: 'row_missing',
    says: 'lacks the row of ada',
  },
  'a day that a submission is listed by': {
    change: sql(`UPDATE submissions SET first_day = '2026-01-01', tools = '["codex"]'
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'is stored with another first_day, tools than the log tells (ada)',
  },
  'a name of a submission': {
    change: sql(`UPDATE submissions SET submission_id = id WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'another submission_id than',
  },
  'what the sender of a submission was told': {
    change:
      sql(`UPDATE submissions SET answer = json_set(answer, '$.records', 1, '$.proof.salt', 'ab')
      WHERE log_index = ${FIRST_SNAPSHOT}`),
    code: 'submission_facts',
    says: 'another answer (records), answer (proof) than',
  },
  'somebody who is hidden, but by nobody': {
    change: sql(
      `UPDATE operators SET hidden_at = '2026-03-01T00:00:00.000Z' WHERE codename = 'ada'`,
    ),
    code: 'stored_view',
    says: 'is hidden, but not by the log (ada)',
  },
  'somebody whom the keeper hid': {
    change: sql('UPDATE operators SET hidden_at = NULL'),
    code: 'stored_view',
    says: 'is not hidden, but by the log (fay)',
  },
  'somebody whom the public sees, but must not': {
    change: sql("UPDATE operators SET public_name = codename, is_open = 1 WHERE codename = 'dan'"),
    code: 'stored_view',
    says: 'is shown otherwise than the privacy mode allows (dan)',
  },
  "the board's own key, which is missing": {
    change: sql('DELETE FROM board_keys'),
    code: 'stored_key',
    says: 'is entered by the log, but not stored',
  },
  "the board's own key, which is another": {
    change: sql('UPDATE board_keys SET public_key = randomblob(32)'),
    code: 'stored_key',
    says: 'is not stored as the log entered it',
  },
  "the secret of the board's own key": {
    change: sql('UPDATE board_keys SET secret_key = randomblob(32)'),
    code: 'stored_key',
    says: 'is that of another key',
  },
  'a trigger': {
    change: sql('CREATE TRIGGER evil AFTER INSERT ON log_entries BEGIN DELETE FROM operators; END'),
    code: 'database',
    says: 'it has the trigger evil, which no board of its version has',
  },
  'an index that is missing': {
    change: sql('DROP INDEX devices_self_reporting'),
    code: 'database',
    says: 'it lacks the index devices_self_reporting',
  },
  'a table with another column': {
    change: sql('ALTER TABLE operators ADD COLUMN more TEXT'),
    code: 'database',
    says: 'its table operators is another than',
  },
  'a row that refers to nothing': {
    change: sql(
      'UPDATE sessions SET operator_id = 999; UPDATE account_events SET operator_id = 999',
    ),
    code: 'reference',
    says: 'a row of account_events, which misses a row of operators',
  },
};

/** As an admin could who has the board's database, but not the devices' keys. */
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
