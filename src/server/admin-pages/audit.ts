import type { AuditFilter } from '#core/domain/account/audit-filter.ts';
import type { AppContext } from '../context.ts';

/** How many entries a page lists. */
const PAGE = 50;

/** One page of the audit log, newest first. `next` is the ID before which the next page begins; null if it is the last. */
export function readAuditLog({ store }: AppContext, filter: AuditFilter, before: number | null) {
  const found = store.auditLog.filtered(filter, PAGE + 1, before);
  const entries = found.slice(0, PAGE);
  const next = found.length > PAGE ? (entries.at(-1)?.id ?? null) : null;
  return { entries, next };
}

/** The actions and the accounts that the log has, for the choices of its filter. */
export function auditChoices({ store }: AppContext) {
  return { actions: store.auditLog.actions(), actors: store.auditLog.actors() };
}
