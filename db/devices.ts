import type { Database } from 'better-sqlite3';
import type { RevokedReason } from '#core/schema/operator.ts';
import { SHOWN_REPLACED } from '#core/schema/shown.ts';
import { returned } from './returned.ts';

/** A device with the key that it signs with now, or signed with last. */
export interface DeviceRow {
  id: number;
  public_id: string;
  operator_id: number;
  label: string;
  keyid: string;
  enrolled_at: string;
  revoked_at: string | null;
  revoked_reason: RevokedReason | null;
  last_submission_at: string | null;
  /** The devices that it replaced, as JSON. */
  replaced: string;
}

/** A key as its operator's page of keys shows it. */
export interface EnrolledKey {
  keyid: string;
  public_key: Uint8Array;
  enrolled_at: string;
  revoked_at: string | null;
  revoked_reason: RevokedReason | null;
}

/** A key with its device: all that judging a signature needs. */
export interface KeyRow {
  keyid: string;
  public_key: Uint8Array;
  revoked_at: string | null;
  device_id: number;
  operator_id: number;
}

/**
 * Devices that have a key, with the one that signs or signed last. What compromised keys signed does not
 * count, so it is no last submission: a device that enrolled again sends it anew.
 */
export const DEVICE = `
  SELECT d.id, d.public_id, d.operator_id, d.label, k.keyid, k.enrolled_at, k.revoked_at, k.revoked_reason,
    (SELECT e.received_at FROM submissions s JOIN log_entries e USING (log_index)
     WHERE s.device_id = d.id AND NOT EXISTS (
       SELECT 1 FROM device_keys c WHERE c.keyid = s.keyid AND c.revoked_reason = 'compromised')
     ORDER BY s.log_index DESC LIMIT 1) AS last_submission_at,
    (SELECT json_group_array(json_object('id', r.public_id, 'label', r.label, 'replaced_at', r.replaced_at))
     FROM (SELECT public_id, label, replaced_at FROM devices WHERE replaced_by = d.id
           ORDER BY replaced_at DESC, id DESC LIMIT ${SHOWN_REPLACED}) r) AS replaced
  FROM devices d
  JOIN device_keys k ON k.keyid = (
    SELECT keyid FROM device_keys WHERE device_id = d.id
    ORDER BY revoked_at IS NOT NULL, enrolled_at DESC LIMIT 1
  )`;

/** A limit of SQLite's that bounds nothing. */
const ALL = -1;

export function devicesIn(db: Database) {
  const ofInstallation = db
    .prepare('SELECT id FROM devices WHERE operator_id = ? AND installation_id = ?')
    .pluck();
  const insert = db
    .prepare(
      `INSERT INTO devices (public_id, operator_id, trust, installation_id, label, created_at)
       VALUES (@public_id, @operator_id, 'signed', @installation_id, @label, @created_at)
       RETURNING id`,
    )
    .pluck();
  const selfReporting = db
    .prepare(`SELECT id FROM devices WHERE operator_id = ? AND trust = 'self_reported'`)
    .pluck();
  const insertSelfReporting = db
    .prepare(
      `INSERT INTO devices (public_id, operator_id, trust, label, created_at)
       VALUES (@public_id, @operator_id, 'self_reported', '', @created_at)
       RETURNING id`,
    )
    .pluck();
  const relabel = db.prepare('UPDATE devices SET label = @label WHERE id = @id');
  const insertKey = db.prepare(
    `INSERT INTO device_keys (keyid, device_id, public_key, enrolled_at)
     VALUES (@keyid, @device_id, @public_key, @enrolled_at)`,
  );
  const key = db.prepare(
    `SELECT keyid, public_key, revoked_at, device_id,
       (SELECT operator_id FROM devices WHERE id = device_id) AS operator_id
     FROM device_keys WHERE keyid = ? AND device_id NOT IN (
       SELECT d.id FROM devices d JOIN operators o ON o.id = d.operator_id WHERE o.erasing_at IS NOT NULL)`,
  );
  const keysOfOperator = db.prepare(
    `SELECT keyid, public_key, enrolled_at, revoked_at, revoked_reason FROM device_keys
     WHERE device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id)
     ORDER BY enrolled_at DESC, keyid LIMIT @limit`,
  );
  const selfReporters = db.prepare(`SELECT id FROM devices WHERE trust = 'self_reported'`).pluck();
  const signing = db
    .prepare(
      `SELECT operator_id, count(*) FROM devices
       WHERE id IN (SELECT device_id FROM device_keys WHERE revoked_at IS NULL) GROUP BY operator_id`,
    )
    .raw();
  const keyCounts = db.prepare(
    `SELECT count(*) AS keys, count(*) FILTER (WHERE revoked_at IS NULL) AS active FROM device_keys
     WHERE device_id IN (SELECT id FROM devices WHERE operator_id = ?)`,
  );
  const activeKey = db
    .prepare('SELECT keyid FROM device_keys WHERE device_id = ? AND revoked_at IS NULL')
    .pluck();
  const revokeKey = db.prepare(
    `UPDATE device_keys SET revoked_at = @revoked_at, revoked_reason = @reason
     WHERE keyid = @keyid AND revoked_at IS NULL`,
  );
  const byId = db.prepare(`${DEVICE} WHERE d.id = ?`);
  const byPublicId = db.prepare(`${DEVICE} WHERE d.public_id = ?`);
  const ofOperator = db.prepare(
    `${DEVICE} WHERE d.operator_id = @operator_id
     ORDER BY k.revoked_at IS NOT NULL, d.created_at DESC, d.id DESC LIMIT @limit`,
  );
  const total = db
    .prepare(
      `SELECT count(*) FROM devices WHERE operator_id = ? AND trust = 'signed' AND replaced_by IS NULL`,
    )
    .pluck();
  const rememberToken = db.prepare(
    `INSERT INTO device_token_ids (keyid, jti, expires_at) VALUES (@keyid, @jti, @expires_at)
     ON CONFLICT DO NOTHING`,
  );

  return {
    /** The id of an operator's device for an installation. */
    ofInstallation: (operator_id: number, installation_id: string) =>
      ofInstallation.get(operator_id, installation_id) as number | undefined,
    add: (device: {
      public_id: string;
      operator_id: number;
      installation_id: string;
      label: string;
      created_at: string;
    }) => returned(insert, device) as number,
    /** All devices that stand for what is sent by hand. */
    selfReporters: () => selfReporters.all() as number[],
    /** The id of the device that stands for what an operator sends by hand; it has no key. */
    selfReporting: (operator_id: number) => selfReporting.get(operator_id) as number | undefined,
    addSelfReporting: (device: { public_id: string; operator_id: number; created_at: string }) =>
      returned(insertSelfReporting, device) as number,
    relabel(id: number, label: string) {
      relabel.run({ id, label });
    },
    addKey(row: { keyid: string; device_id: number; public_key: Uint8Array; enrolled_at: string }) {
      insertKey.run(row);
    },
    key: (keyid: string) => key.get(keyid) as KeyRow | undefined,
    /** Every key that an operator's devices ever had, newest first. */
    keysOfOperator: (operator_id: number, limit = ALL) =>
      keysOfOperator.all({ operator_id, limit }) as EnrolledKey[],
    /** How many devices of each operator may sign; none for those that are not listed. */
    signing: () => signing.all() as [number, number][],
    /** How many keys an operator's devices ever had, and how many of them may sign. */
    keyCounts: (operator_id: number) =>
      keyCounts.get(operator_id) as { keys: number; active: number },
    activeKey: (device_id: number) => activeKey.get(device_id) as string | undefined,
    /** Revokes a key; false if it was revoked before. */
    revokeKey: (keyid: string, reason: RevokedReason, revoked_at: string) =>
      revokeKey.run({ keyid, reason, revoked_at }).changes > 0,
    byId: (id: number) => byId.get(id) as DeviceRow | undefined,
    byPublicId: (public_id: string) => byPublicId.get(public_id) as DeviceRow | undefined,
    /** Those that may sign first, newest first. */
    ofOperator: (operator_id: number, limit = ALL) =>
      ofOperator.all({ operator_id, limit }) as DeviceRow[],
    /** How many devices an operator ever enrolled. */
    total: (operator_id: number) => total.get(operator_id) as number,
    /** Remembers a token's id until it expires (seconds since the epoch); false if it was seen. */
    rememberToken: (token: { keyid: string; jti: string; expires_at: number }) =>
      rememberToken.run(token).changes > 0,
  };
}
