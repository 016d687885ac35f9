import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';

/** Shuts an application out: all its tokens stop working at once. */
export function revokeApplication(ctx: AppContext, operator_id: number, id: string): void {
  const { store, now } = ctx;
  store.transaction(() => {
    const found = store.applications.ofOperator(operator_id).find((row) => row.id === id);
    if (!found) throw new DomainError('not_found', 'The application was revoked already');
    store.oidc.revokeGrant(found.grant_hash);
    const detail = found.name ?? found.redirect_host;
    const event = {
      kind: 'application_shut_out',
      detail,
      created_at: now().toISOString(),
    } as const;
    store.accountEvents.add({ operator_id, ...event });
  });
}
