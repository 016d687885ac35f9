import type { Database } from 'better-sqlite3';

/** What takes all back that a device ever sent. */
export function deviceRecallsIn(db: Database) {
  const groupsOf = db.prepare('SELECT DISTINCT day, tool FROM buckets WHERE device_id = ?');
  const withdraw = db.prepare(
    `UPDATE submissions SET state = 'withdrawn'
     WHERE device_id = ? AND state IN ('accepted', 'held')`,
  );
  const revoke = db.prepare(
    `UPDATE device_keys SET revoked_at = coalesce(revoked_at, @at), revoked_reason = 'compromised'
     WHERE device_id = @device_id AND revoked_reason IS NOT 'compromised'`,
  );

  return {
    /** The days and tools of which a device states something. */
    groupsOf: (device_id: number) => groupsOf.all(device_id) as { day: string; tool: string }[],
    /** Withdraws every submission of a device. */
    withdraw(device_id: number) {
      withdraw.run(device_id);
    },
    /** Calls every key that a device had compromised; false if they were before. */
    revoke: (device_id: number, at: string) => revoke.run({ device_id, at }).changes > 0,
  };
}
