import type { Database } from 'better-sqlite3';
import type { RevokedReason } from '#core/schema/operator.ts';
import { KNOWN_DAYS, KNOWN_DEVICES, SHOWN_REPLACED } from '#core/schema/shown.ts';
import { MAX_COUNT } from '#core/schema/usage.ts';
import { statementsIn } from './statements.ts';

/** A device with its current or last key. */
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
  replaced: string;
}

/** A key as the operator's list of keys shows it. */
interface EnrolledKey {
  keyid: string;
  public_key: Uint8Array;
  enrolled_at: string;
  revoked_at: string | null;
  revoked_reason: RevokedReason | null;
}

/** A key with its device: everything needed to verify a signature. */
export interface KeyRow {
  keyid: string;
  public_key: Uint8Array;
  revoked_at: string | null;
  device_id: number;
  operator_id: number;
}

/**
 * Devices that have a key, with their current or last one. Submissions signed by a compromised key do not count as
 * the last submission, because a device that enrolls again uploads them again.
 */
export const DEVICE = `
  SELECT d.id, d.public_id, d.operator_id, d.label, k.keyid, k.enrolled_at, k.revoked_at, k.revoked_reason,
    (SELECT received_at FROM log_entries WHERE log_index = (
      SELECT s.log_index FROM submissions s
      WHERE s.operator_id = d.operator_id AND s.device_id = d.id AND NOT EXISTS (
        SELECT 1 FROM device_keys c WHERE c.keyid = s.keyid AND c.revoked_reason = 'compromised')
      ORDER BY s.log_index DESC LIMIT 1)) AS last_submission_at,
    (SELECT json_group_array(json_object('id', r.public_id, 'label', r.label, 'replaced_at', r.replaced_at))
     FROM (SELECT public_id, label, replaced_at FROM devices WHERE replaced_by = d.id
           ORDER BY replaced_at DESC, id DESC LIMIT ${SHOWN_REPLACED}) r) AS replaced
  FROM devices d
  JOIN device_keys k ON k.keyid = (
    SELECT keyid FROM device_keys WHERE device_id = d.id
    ORDER BY revoked_at IS NOT NULL, enrolled_at DESC LIMIT 1
  )`;

/** A LIMIT of -1 means no limit in SQLite. */
const ALL = -1;

export function devicesIn(db: Database) {
  const sql = statementsIn(db);
  const relabel = sql.run<(of: object) => void>('UPDATE devices SET label = @label WHERE id = @id');
  const keysOfOperator = sql.all<(of: object) => EnrolledKey[]>(`
    SELECT keyid, public_key, enrolled_at, revoked_at, revoked_reason FROM device_keys
    WHERE device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id)
    ORDER BY enrolled_at DESC, keyid LIMIT @limit`);
  const revokeKey = sql.did<(of: object) => boolean>(`
    UPDATE device_keys SET revoked_at = @revoked_at, revoked_reason = @reason
    WHERE keyid = @keyid AND revoked_at IS NULL`);
  const ofOperator = sql.all<(of: object) => DeviceRow[]>(`
    ${DEVICE} WHERE d.operator_id = @operator_id
    ORDER BY k.revoked_at IS NOT NULL, d.created_at DESC, d.id DESC LIMIT @limit`);

  return {
    ofInstallation: sql.value<
      (operator_id: number, installation_id: string) => number | undefined
    >(`
      SELECT id FROM devices WHERE operator_id = ? AND installation_id = ?`),
    add: sql.value<
      (device: {
        public_id: string;
        operator_id: number;
        installation_id: string;
        label: string;
        created_at: string;
      }) => number
    >(`
      INSERT INTO devices (public_id, operator_id, trust, installation_id, label, created_at)
      VALUES (@public_id, @operator_id, 'signed', @installation_id, @label, @created_at)
      RETURNING id`),
    /** The ID of the device that stands for an operator's self-reports. It has no key. */
    selfReporting: sql.value<(operator_id: number) => number | undefined>(`
      SELECT id FROM devices WHERE operator_id = ? AND trust = 'self_reported'`),
    addSelfReporting: sql.value<
      (device: { public_id: string; operator_id: number; created_at: string }) => number
    >(`
      INSERT INTO devices (public_id, operator_id, trust, label, created_at)
      VALUES (@public_id, @operator_id, 'self_reported', '', @created_at)
      RETURNING id`),
    relabel: (id: number, label: string) => relabel({ id, label }),
    addKey: sql.run<
      (row: {
        keyid: string;
        device_id: number;
        public_key: Uint8Array;
        enrolled_at: string;
      }) => void
    >(`
      INSERT INTO device_keys (keyid, device_id, public_key, enrolled_at)
      VALUES (@keyid, @device_id, @public_key, @enrolled_at)`),
    key: sql.get<(keyid: string) => KeyRow | undefined>(`
      SELECT keyid, public_key, revoked_at, device_id,
        (SELECT operator_id FROM devices WHERE id = device_id) AS operator_id
      FROM device_keys WHERE keyid = ? AND (SELECT erasing_at FROM operators WHERE id =
        (SELECT operator_id FROM devices WHERE id = device_id)) IS NULL`),
    keysOfOperator: (operator_id: number, limit = ALL) => keysOfOperator({ operator_id, limit }),
    /** How many keys an operator's devices have ever had, and how many are active. */
    keyCounts: sql.get<(operator_id: number) => { keys: number; active: number }>(`
      SELECT count(*) AS keys, count(*) FILTER (WHERE revoked_at IS NULL) AS active FROM device_keys
      WHERE device_id IN (SELECT id FROM devices WHERE operator_id = ?)`),
    activeKey: sql.value<(device_id: number) => string | undefined>(`
      SELECT keyid FROM device_keys WHERE device_id = ? AND revoked_at IS NULL`),
    /** Revokes a key. Returns false if it was already revoked. */
    revokeKey: (keyid: string, reason: RevokedReason, revoked_at: string) =>
      revokeKey({ keyid, reason, revoked_at }),
    byId: sql.get<(id: number) => DeviceRow | undefined>(`${DEVICE} WHERE d.id = ?`),
    byPublicId: sql.get<(public_id: string) => DeviceRow | undefined>(`
      ${DEVICE} WHERE d.public_id = ?`),
    /** Active ones first, newest first. */
    ofOperator: (operator_id: number, limit = ALL) => ofOperator({ operator_id, limit }),
    total: sql.value<(operator_id: number) => number>(`
      SELECT count(*) FROM devices WHERE operator_id = ? AND trust = 'signed' AND replaced_by IS NULL`),
    /** Stores a token's ID until it expires (seconds since the epoch). Returns false if it was already stored. */
    rememberToken: sql.did<(token: { keyid: string; jti: string; expires_at: number }) => boolean>(`
      INSERT INTO device_token_ids (keyid, jti, expires_at) VALUES (@keyid, @jti, @expires_at)
      ON CONFLICT DO NOTHING`),
  };
}

/** Marks devices as compromised, which excludes everything that they submitted. */
export function compromisedDevicesIn(db: Database) {
  const sql = statementsIn(db);
  const mark = sql.did<(of: object) => boolean>(`
    UPDATE device_keys SET revoked_at = coalesce(revoked_at, @at), revoked_reason = 'compromised'
    WHERE device_id = @device_id AND revoked_reason IS NOT 'compromised'`);
  const ofDevice =
    'device_id = @device_id AND operator_id = (SELECT operator_id FROM devices WHERE id = @device_id)';
  const withdraw = [
    `UPDATE packed_submissions SET decided = 'withdrawn'
     WHERE ${ofDevice} AND (decided IS NULL OR decided = 'held')`,
    `UPDATE main.submissions SET state = 'withdrawn' WHERE ${ofDevice} AND state IN ('accepted', 'held')`,
  ].map((text) => sql.run<(of: object) => void>(text));

  return {
    /** The days and tools for which a device has daily counts. */
    groupsOf: sql.all<
      (device: { operator_id: number; device_id: number }) => { day: string; tool: string }[]
    >(`
      SELECT DISTINCT day, tool FROM buckets
      WHERE operator_id = @operator_id AND device_id = @device_id`),
    withdraw(device_id: number) {
      withdraw.forEach((each) => each({ device_id }));
    },
    /** Marks all keys of a device as compromised. Returns false if they already were. */
    mark: (device_id: number, at: string) => mark({ device_id, at }),
  };
}

export interface StatedTotal {
  day: string;
  tool: string;
  total: number;
  stated_at: string;
}

/** The data by which a machine can recognize itself among an account's devices. */
export function knownDevicesIn(db: Database) {
  const sql = statementsIn(db);
  // Follows the key of the table backwards, so that most of a large account is not read.
  const newestFirst = sql.iterateTuples<(of: object) => IterableIterator<[number]>>(`
    SELECT day_number FROM buckets WHERE operator_id = @operator_id AND device_id = @id
    ORDER BY day_number DESC`);
  const days = sql.all<(of: object) => StatedTotal[]>(`
    SELECT day, tool, total, (SELECT received_at FROM log_entries e WHERE e.log_index = s.log_index) AS stated_at
    FROM (
      SELECT day, tool, max(log_index) AS log_index,
        total(coalesce(stated_input, input) + coalesce(stated_output, output)
          + coalesce(stated_cache_write, cache_write, 0) + coalesce(stated_cache_read, cache_read, 0)) AS total
      FROM buckets WHERE operator_id = @operator_id AND day_number >= @first AND device_id = @id
      GROUP BY day, tool ORDER BY day DESC, tool DESC LIMIT ${KNOWN_DAYS}
    ) s`);

  /** The first of the last {@linkcode KNOWN_DAYS} days of a device. */
  function firstDay(device: object): number {
    const seen = new Set<number>();
    for (const [day] of newestFirst(device)) {
      seen.add(day);
      if (seen.size === KNOWN_DAYS) return day;
    }
    return Number.NEGATIVE_INFINITY;
  }

  return {
    lastUsed: sql.all<(operator_id: number) => DeviceRow[]>(`
      ${DEVICE} WHERE d.operator_id = ? AND k.revoked_reason IS NOT 'compromised'
      ORDER BY last_submission_at DESC, d.id DESC LIMIT ${KNOWN_DEVICES}`),
    days: (device: Pick<DeviceRow, 'id' | 'operator_id'>) =>
      days({ ...device, first: firstDay(device) }).map((row) => {
        return { ...row, total: Math.min(row.total, MAX_COUNT) };
      }),
  };
}

export interface EnrollmentCodeRow {
  operator_id: number;
  expires_at: string;
  /** The key that was enrolled with it; null while it is unused. */
  used_by_keyid: string | null;
}

/** One-time codes, stored only as SHA-256. */
export function enrollmentCodesIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.run<(of: object) => void>(`
    INSERT INTO enrollment_codes (code_hash, operator_id, created_at, expires_at)
    VALUES (@code_hash, @operator_id, @created_at, @expires_at)`);
  const prune = sql.run<(of: object) => void>(`
    DELETE FROM enrollment_codes WHERE operator_id = @operator_id AND code_hash NOT IN (
      SELECT code_hash FROM enrollment_codes WHERE operator_id = @operator_id
      ORDER BY code_hash = @code_hash DESC, created_at DESC LIMIT @most)`);
  const use = sql.run<(of: object) => void>(`
    UPDATE enrollment_codes SET used_by_keyid = @keyid WHERE code_hash = @code_hash`);

  return {
    /** Adds a code. If the operator has more than `most`, deletes the oldest. */
    add(
      code: { code_hash: string; operator_id: number; created_at: string; expires_at: string },
      most: number,
    ) {
      insert(code);
      prune({ operator_id: code.operator_id, code_hash: code.code_hash, most });
    },
    byHash: sql.get<(code_hash: string) => EnrollmentCodeRow | undefined>(`
      SELECT * FROM enrollment_codes WHERE code_hash = ?`),
    use: (code_hash: string, keyid: string) => use({ code_hash, keyid }),
  };
}
