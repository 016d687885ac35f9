import type { Database } from 'better-sqlite3';
import { MAX_COUNT } from '#core/schema/usage.ts';
import { KNOWN_DAYS, KNOWN_DEVICES } from '#core/schema/shown.ts';
import { DEVICE, type DeviceRow } from './devices.ts';

/** What a device states for one day and tool. */
export interface StatedDay {
  day: string;
  tool: string;
  total: number;
  stated_at: string;
}

/** What a machine can recognize itself by among an account's devices. */
export function knownDevicesIn(db: Database) {
  const lastUsed = db.prepare(
    `${DEVICE} WHERE d.operator_id = ? AND k.revoked_reason IS NOT 'compromised'
     ORDER BY last_submission_at DESC, d.id DESC LIMIT ${KNOWN_DEVICES}`,
  );
  // In the order of the index by device, backwards, so that SQLite stops after the last sum.
  const days = db.prepare(
    `SELECT day, tool, total, (SELECT received_at FROM log_entries e WHERE e.log_index = s.log_index) AS stated_at
     FROM (
       SELECT day, tool, max(log_index) AS log_index,
         total(coalesce(stated_input, input) + coalesce(stated_output, output)
           + coalesce(stated_cache_write, cache_write, 0) + coalesce(stated_cache_read, cache_read, 0)) AS total
       FROM buckets INDEXED BY buckets_by_device WHERE device_id = @id AND operator_id = @operator_id
       GROUP BY day, tool ORDER BY day DESC, tool DESC LIMIT ${KNOWN_DAYS}
     ) s`,
  );

  return {
    /** An account's devices that are not compromised, last used first. */
    lastUsed: (operator_id: number) => lastUsed.all(operator_id) as DeviceRow[],
    /** What a device states, newest day first. */
    days: (device: Pick<DeviceRow, 'id' | 'operator_id'>) =>
      (days.all(device) as StatedDay[]).map((row) => {
        return { ...row, total: Math.min(row.total, MAX_COUNT) };
      }),
  };
}
