import type { Database } from 'better-sqlite3';
import type { Trust } from '#core/schema/submission.ts';
import { statementsIn } from './statements.ts';
import { usageBlocksIn } from './usage-blocks.ts';

export interface ReplaceableDevice {
  id: number;
  label: string;
  trust: Trust;
  /** The device that replaced it; null if none has. */
  replaced_by: number | null;
  is_compromised: 0 | 1;
}

export function deviceReplacementsIn(db: Database) {
  const sql = statementsIn(db);
  const blocks = usageBlocksIn(db);
  const find = sql.get<(of: object) => ReplaceableDevice | undefined>(`
    SELECT id, label, trust, replaced_by, (
      SELECT revoked_reason FROM device_keys WHERE device_id = d.id
      ORDER BY revoked_at IS NOT NULL, enrolled_at DESC LIMIT 1
    ) IS 'compromised' AS is_compromised
    FROM devices d WHERE public_id = @public_id AND operator_id = @operator_id`);
  const identity = sql.get<(id: number) => object>(`
    SELECT public_id, installation_id, label, created_at FROM devices WHERE id = ?`);
  const identify = sql.run<(of: object) => void>(`
    UPDATE devices SET public_id = @public_id, installation_id = @installation_id, label = @label,
      created_at = @created_at WHERE id = @id`);
  // Clears the unique names of a device, so that two devices can exchange theirs.
  const unname = sql.run<(one: unknown) => void>(`
    UPDATE devices SET public_id = 'exchanged', installation_id = NULL WHERE id = ?`);
  const OF_OPERATOR = 'operator_id = (SELECT operator_id FROM devices WHERE id = @from)';
  const move = [
    'UPDATE device_keys SET device_id = @to WHERE device_id = @from',
    ...['packed_submissions', 'main.submissions'].map(
      (table) => `UPDATE ${table} SET device_id = @to WHERE device_id = @from AND ${OF_OPERATOR}`,
    ),
    `UPDATE daily_counts SET device_id = @to
     WHERE operator_id = @operator_id AND device_id = @from`,
    'UPDATE unmoved_buckets SET device_id = @to WHERE device_id = @from',
    'UPDATE devices SET replaced_by = @to WHERE replaced_by = @from',
    `UPDATE devices SET replaced_by = @to, replaced_at = @at, installation_id = NULL
     WHERE id = @from`,
  ].map((text) => sql.run<(of: object) => void>(text));

  return {
    find: (operator_id: number, public_id: string) => find({ operator_id, public_id }),
    buckets: sql.value<(operator_id: number, device_id: number) => number>(`
      SELECT count(*) FROM buckets WHERE operator_id = @operator_id AND device_id = @device_id`),
    accepted: sql.all<(one: number, other: number) => { log_index: number; device_id: number }[]>(`
      SELECT log_index, device_id FROM submissions
      WHERE operator_id = (SELECT operator_id FROM devices WHERE id = @one)
        AND device_id IN (@one, @other) AND state = 'accepted' ORDER BY log_index`),
    /** The enrollments in an account's log entries up to an index, as JSON. */
    enrollments: sql.values<(operator_id: number, until: number) => string[]>(`
      SELECT CAST(payload AS TEXT), log_index FROM log_entries
      WHERE operator_id = ? AND log_index <= ? AND kind = 'enroll' ORDER BY log_index`),
    /** Exchanges the identities of two devices. Their keys and data stay. */
    exchange(one: number, other: number) {
      const [first, second] = [identity(one), identity(other)];
      unname(one);
      identify({ ...first, id: other });
      identify({ ...second, id: one });
    },
    /** Moves everything that a device has to another one. The two must not have daily counts for the same place. */
    replace({ from, to, ...of }: { operator_id: number; from: number; to: number; at: string }) {
      move.forEach((each) => each({ from, to, ...of }));
      blocks.refreshAll(of.operator_id);
    },
  };
}
