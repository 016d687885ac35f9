import { describe, expect, test } from 'vitest';
import { devicesIn } from '#db/devices.ts';
import { aPopulatedDatabase } from '#tests/support/board/database.ts';

function aRepository() {
  const db = aPopulatedDatabase();
  const devices = devicesIn(db);
  const addKey = (keyid: string, enrolled_at: string, device_id = 1) =>
    devices.addKey({ keyid, device_id, public_key: Buffer.alloc(32), enrolled_at });
  return { db, devices, addKey };
}

describe('byId()', () => {
  test('shows the active key, otherwise the last one', () => {
    const { devices, addKey } = aRepository();
    addKey('first', '2026-01-01');
    addKey('second', '2026-01-02');
    devices.revokeKey('second', 'logout', '2026-01-03');

    expect(devices.byId(1)).toMatchObject({ keyid: 'first', revoked_at: null });
    devices.revokeKey('first', 'logout', '2026-01-04');
    expect(devices.byId(1)).toMatchObject({ keyid: 'second', revoked_at: '2026-01-03' });
  });

  test('shows when the last submission was received', () => {
    const { db, devices, addKey } = aRepository();
    addKey('k', '2026-01-01');
    db.exec(`
      UPDATE main.log_entries SET received_at = 'at ' || log_index;
      INSERT INTO main.submissions VALUES
        (3, 'a', 1, 1, 'k', 's1', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', ''),
        (2, 'b', 1, 1, 'k', 's2', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', ''),
        (4, 'c', 1, 2, 'k', 's3', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', '');
    `);

    expect(devices.byId(1)?.last_submission_at).toBe('at 3');
  });

  test('ignores submissions signed by a compromised key, which do not count', () => {
    const { db, devices, addKey } = aRepository();
    addKey('bad', '2026-01-01');
    db.exec(`
      UPDATE main.log_entries SET received_at = 'at ' || log_index;
      INSERT INTO main.submissions VALUES
        (2, 'a', 1, 1, 'bad', 's1', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', '');
    `);
    devices.revokeKey('bad', 'compromised', '2026-01-02');
    addKey('good', '2026-01-03');

    expect(devices.byId(1)?.last_submission_at).toBeNull();
    db.exec(`INSERT INTO main.submissions VALUES
      (3, 'b', 1, 1, 'good', 's2', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', '')`);
    expect(devices.byId(1)?.last_submission_at).toBe('at 3');
  });
});

describe('ofOperator()', () => {
  test('lists active devices first, newest first', () => {
    const { devices, addKey } = aRepository();
    addKey('one', '2026-01-01');
    addKey('two', '2026-01-02', 2);

    expect(devices.ofOperator(1).map(({ keyid }) => keyid)).toEqual(['two', 'one']);
    devices.revokeKey('two', 'revoked', '2026-01-03');
    expect(devices.ofOperator(1).map(({ keyid }) => keyid)).toEqual(['one', 'two']);
  });
});

describe('revokeKey()', () => {
  test('works once', () => {
    const { devices, addKey } = aRepository();
    addKey('k', '2026-01-01');

    expect(devices.revokeKey('k', 'compromised', '2026-01-02')).toBe(true);
    expect(devices.revokeKey('k', 'logout', '2026-01-03')).toBe(false);
    expect(devices.key('k')?.revoked_at).toBe('2026-01-02');
    expect(devices.activeKey(1)).toBeUndefined();
  });
});

describe('rememberToken()', () => {
  test('recognizes a token ID of a key', () => {
    const { devices } = aRepository();
    const token = { keyid: 'k', jti: 'x', expires_at: 100 };

    expect(devices.rememberToken(token)).toBe(true);
    expect(devices.rememberToken(token)).toBe(false);
    expect(devices.rememberToken({ ...token, keyid: 'other' })).toBe(true);
  });
});
