import { describe, expect, test } from 'vitest';
import { LIMITS, limitsOf } from '#core/contract/limits.ts';

const quotas = (publicReads: number, writes: number) =>
  Object.fromEntries(
    Object.entries(limitsOf({ publicReads, writes })).map(([name, { quota }]) => [name, quota]),
  );

describe('limitsOf()', () => {
  test('returns the defaults for default settings', () => {
    expect(limitsOf({ publicReads: 60, writes: 20 })).toEqual(LIMITS);
  });

  test('scales pages with reads, snapshots with writes, and nothing else', () => {
    expect(quotas(7, 35)).toEqual({
      public: 7,
      key: 600,
      pages: 70,
      uploads: 2,
      writes: 35,
      visibility: 10,
      visibility_day: 40,
      snapshots: 7,
      device: 175,
      device_bytes: 64 * 1024 * 1024,
      account: 1750,
      account_bytes: 256 * 1024 * 1024,
      enroll: 120,
      enroll_account: 50,
      login: 120,
      authorize: 240,
      mail: 5,
      mailbox: 20,
      mailbox_known: 5,
      contact: 5,
      register: 30,
      mcp: 7,
    });
  });

  test.each([
    [1, 1],
    [4, 1],
    [5, 1],
    [9, 1],
    [10, 2],
  ])('for %i writes allows %i snapshots', (writes, snapshots) => {
    expect(quotas(60, writes)['snapshots']).toBe(snapshots);
  });
});
