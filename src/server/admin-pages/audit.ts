import type { AuditFilter } from '#db/audit-log.ts';
import type { AppContext } from '../context.ts';

/** How many entries a page lists. */
const PAGE = 50;

/** One page of the audit log, newest first. `next` is the ID before which the next page begins; null if it is the last. */
export function readAuditLog({ store }: AppContext, filter: AuditFilter) {
  const found = store.auditLog.filtered(filter, PAGE + 1);
  const entries = found.slice(0, PAGE);
  const next = found.length > PAGE ? (entries.at(-1)?.id ?? null) : null;
  return { entries, next, actions: store.auditLog.actions() };
}
