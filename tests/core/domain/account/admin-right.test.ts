import { describe, expect, test } from 'vitest';
import {
  ADMIN_RIGHTS,
  type AdminRight,
  RECENT_MS,
  hasRight,
  isRecent,
  mayActOn,
  needsSignIn,
} from '#core/domain/account/admin-right.ts';
import { ROLES } from '#core/schema/account.ts';

const RIGHTS = Object.keys(ADMIN_RIGHTS) as AdminRight[];
const NOW = new Date('2026-03-10T12:00:00Z');
const before = (ms: number) => new Date(NOW.getTime() - ms).toISOString();

/** The rights of moderators. Everything else needs an admin. A new right must be added to one of the lists. */
const OF_MODERATORS: AdminRight[] = [
  'answer-message',
  'close-message',
  'decide-submission',
  'hide-operator',
  'link-sign-in-method',
  'see-audit-log',
  'see-decisions',
  'see-messages',
  'see-operators',
  'see-overview',
  'show-operator',
];
const OF_ADMINS_ONLY: AdminRight[] = [
  'issue-key',
  'manage-challenge',
  'revoke-key',
  'see-challenges',
  'see-keys',
  'change-role',
  'change-webhooks',
  'create-invitation',
  'create-sign-in-link',
  'end-announcement',
  'end-sessions',
  'make-backup',
  'revoke-invitation',
  'see-announcement',
  'see-health',
  'see-invitations',
  'see-webhooks',
  'set-announcement',
  'test-webhook',
];
const SENSITIVE: AdminRight[] = [
  'answer-message',
  'change-role',
  'change-webhooks',
  'create-invitation',
  'create-sign-in-link',
  'end-sessions',
  'issue-key',
  'link-sign-in-method',
  'make-backup',
  'revoke-key',
  'set-announcement',
];

describe('hasRight()', () => {
  test('gives operators nothing, moderators their list, and admins everything', () => {
    const rightsOf = ROLES.map((role) => RIGHTS.filter((right) => hasRight(role, right)).sort());

    expect(rightsOf).toEqual([[], OF_MODERATORS, [...OF_MODERATORS, ...OF_ADMINS_ONLY].sort()]);
  });
});

describe('needsSignIn()', () => {
  test('is true only for sensitive actions', () => {
    expect(RIGHTS.filter((right) => needsSignIn(right, null, NOW)).sort()).toEqual(SENSITIVE);
    expect(RIGHTS.filter((right) => needsSignIn(right, before(0), NOW))).toEqual([]);
  });

  test.each([
    [RECENT_MS - 1, true],
    [RECENT_MS, false],
  ])('after a sign-in %i ms ago, isRecent() is %s', (ms, expected) => {
    expect(isRecent(before(ms), NOW)).toBe(expected);
  });
});

describe('mayActOn()', () => {
  test.each([
    ['moderator', 'operator', true],
    ['moderator', 'moderator', false],
    ['moderator', 'admin', false],
    ['admin', 'moderator', true],
    ['admin', 'admin', true],
  ] as const)('a %s on the account of a %s: %s', (role, other, expected) => {
    expect(mayActOn(role, other)).toBe(expected);
  });
});
