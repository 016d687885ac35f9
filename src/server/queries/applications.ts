import type { AppContext } from '../context.ts';

/** An application that an operator let in, as its operator sees it. */
export interface Application {
  id: string;
  name: string | null;
  redirect_host: string;
  created_at: string;
  last_used_at: string | null;
}

export function readApplications({ store }: AppContext, operator_id: number): Application[] {
  return store.applications.ofOperator(operator_id).map((row) => {
    const { id, name, redirect_host, created_at, last_used_at } = row;
    return { id, name, redirect_host, created_at, last_used_at };
  });
}
