import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import type { Application } from '#core/schema/account.ts';

/** Revokes an app's access. All its tokens stop working immediately. */
export function revokeApplication(ctx: AppContext, operator_id: number, id: string): void {
  const { store, now } = ctx;
  store.transaction(() => {
    const found = store.applications.ofOperator(operator_id).find((row) => row.id === id);
    if (!found) throw new DomainError('not_found', 'The access of this app is already revoked');
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

export function readApplications({ store }: AppContext, operator_id: number): Application[] {
  return store.applications.ofOperator(operator_id).map((row) => {
    const { id, name, redirect_host, created_at, last_used_at } = row;
    return { id, name, redirect_host, created_at, last_used_at };
  });
}
