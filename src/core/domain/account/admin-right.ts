/** Which role may do what on the admin pages: the only place that decides it. */
import { ROLES, type Role } from '../../schema/account.ts';

interface Requirement {
  /** The least powerful role that may do it. */
  least: Exclude<Role, 'operator'>;
  /** Whether it requires a sign-in from the last minutes. */
  isSensitive: boolean;
}

/** Every page and action of the admin pages. A page without an entry cannot be opened. */
export const ADMIN_RIGHTS = {
  'see-overview': { least: 'moderator', isSensitive: false },
  'see-decisions': { least: 'moderator', isSensitive: false },
  'decide-submission': { least: 'moderator', isSensitive: false },
  // Most messages are about decisions, which moderators make.
  'see-messages': { least: 'moderator', isSensitive: false },
  'close-message': { least: 'moderator', isSensitive: false },
  // Speaks for the board, also by email, and cannot be taken back.
  'answer-message': { least: 'moderator', isSensitive: true },
  'see-challenges': { least: 'admin', isSensitive: false },
  'manage-challenge': { least: 'admin', isSensitive: false },
  'see-keys': { least: 'admin', isSensitive: false },
  'issue-key': { least: 'admin', isSensitive: true },
  'revoke-key': { least: 'admin', isSensitive: true },
  'see-operators': { least: 'moderator', isSensitive: false },
  'hide-operator': { least: 'moderator', isSensitive: false },
  'show-operator': { least: 'moderator', isSensitive: false },
  'create-sign-in-link': { least: 'admin', isSensitive: true },
  'end-sessions': { least: 'admin', isSensitive: true },
  'change-role': { least: 'admin', isSensitive: true },
  'see-invitations': { least: 'admin', isSensitive: false },
  'create-invitation': { least: 'admin', isSensitive: true },
  'revoke-invitation': { least: 'admin', isSensitive: false },
  'link-sign-in-method': { least: 'moderator', isSensitive: true },
  // It speaks for the board on every page, with a link, so it needs an admin. Ending it is urgent and harms nobody.
  'see-announcement': { least: 'admin', isSensitive: false },
  'set-announcement': { least: 'admin', isSensitive: true },
  'end-announcement': { least: 'admin', isSensitive: false },
  'see-audit-log': { least: 'moderator', isSensitive: false },
  'see-health': { least: 'admin', isSensitive: false },
  'make-backup': { least: 'admin', isSensitive: true },
  'see-webhooks': { least: 'admin', isSensitive: false },
  'test-webhook': { least: 'admin', isSensitive: false },
  'change-webhooks': { least: 'admin', isSensitive: true },
} as const satisfies Readonly<Record<string, Requirement>>;
export type AdminRight = keyof typeof ADMIN_RIGHTS;

/** How long a sign-in counts as recent, in milliseconds. */
export const RECENT_MS = 15 * 60 * 1000;

export function hasRight(role: Role, right: AdminRight): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(ADMIN_RIGHTS[right].least);
}

/** Whether an action needs a new sign-in first. */
export function needsSignIn(right: AdminRight, signedInAt: string | null, now: Date): boolean {
  return ADMIN_RIGHTS[right].isSensitive && !isRecent(signedInAt, now);
}

/** Whether a person proved a few minutes ago who they are. */
export function isRecent(signedInAt: string | null, now: Date): boolean {
  return signedInAt !== null && now.getTime() - Date.parse(signedInAt) < RECENT_MS;
}

/** Whether a role may act on an account. Only admins act on accounts of moderators and admins. */
export function mayActOn(role: Role, other: Role): boolean {
  return role === 'admin' || other === 'operator';
}
