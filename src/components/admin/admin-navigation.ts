/** The admin pages, in the order of the navigation. A new page needs an entry here and in `ADMIN_RIGHTS`. */
import { type AdminRight, hasRight } from '#core/domain/account/admin-right.ts';
import type { Role } from '#core/schema/account.ts';

interface AdminLink {
  href: string;
  label: string;
  /** The right to open the page. */
  right: AdminRight;
}

export const ADMIN_PAGES: readonly AdminLink[] = [
  { href: '/admin', label: 'Overview', right: 'see-overview' },
  { href: '/admin/decisions', label: 'Decisions', right: 'see-decisions' },
  { href: '/admin/messages', label: 'Messages', right: 'see-messages' },
  { href: '/admin/operators', label: 'Operators', right: 'see-operators' },
  { href: '/admin/challenges', label: 'Challenges', right: 'see-challenges' },
  { href: '/admin/keys', label: 'API keys', right: 'see-keys' },
  { href: '/admin/invitations', label: 'Invitations', right: 'see-invitations' },
  { href: '/admin/announcement', label: 'Announcement', right: 'see-announcement' },
  { href: '/admin/webhooks', label: 'Webhooks', right: 'see-webhooks' },
  { href: '/admin/audit', label: 'Audit log', right: 'see-audit-log' },
  { href: '/admin/health', label: 'Health', right: 'see-health' },
];

/** The pages that a role can open. */
export function adminPagesOf(role: Role): AdminLink[] {
  return ADMIN_PAGES.filter(({ right }) => hasRight(role, right));
}

/** Whether a page is the current one, or above it. The overview is above no other page. */
export function isPageAt({ href }: AdminLink, path: string): boolean {
  return path === href || (href !== '/admin' && path.startsWith(`${href}/`));
}
