import type { Application } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';

export function readApplications({ store }: AppContext, operator_id: number): Application[] {
  return store.applications.ofOperator(operator_id).map((row) => {
    const { id, name, redirect_host, created_at, last_used_at } = row;
    return { id, name, redirect_host, created_at, last_used_at };
  });
}
