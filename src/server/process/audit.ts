import type { AppContext } from '../context.ts';

/** What a keeper did with the board's command. */
export interface KeeperAction {
  /** In snake_case, such as `hide` or `key_issue`. */
  action: string;
  /** What it was done to: a codename, or the id of a submission, key or challenge. */
  subject: string;
  /** The account that it is about, whose deletion deletes the entry; null if it is about none. */
  operator_id: number | null;
  reason: string | null;
  now: Date;
}

/** Notes what a keeper did. Call it inside the transaction of what was done. */
export function audit(store: AppContext['store'], { now, ...entry }: KeeperAction): void {
  store.auditLog.add({ ...entry, created_at: now.toISOString() });
}
