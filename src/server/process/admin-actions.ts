import type { AppContext } from '../context.ts';
import { logFailure } from './storage-fault.ts';

interface AdminAction {
  /** In snake_case, such as `hide` or `key_issue`. */
  action: string;
  /** What it was done to: a codename, or the id of a submission, key or challenge. */
  subject: string;
  /** The account that it is about, whose deletion deletes the entry; null if it is about none. */
  operator_id: number | null;
  reason: string | null;
  now: Date;
}

/** Notes what an admin did. Call it inside the transaction of what was done. */
export function audit(store: AppContext['store'], { now, ...entry }: AdminAction): void {
  store.auditLog.add({ ...entry, created_at: now.toISOString() });
}

const EVERY_MS = 1_000;

/** What changes nothing that the board shows. */
const SILENT: ReadonlySet<string> = new Set(['backup', 'key_issue', 'key_revoke', 'login_link']);

export interface Watch {
  stop(): void;
}

/**
 * Publishes what an admin did with the command, which is another process: at once, and in place of all
 * earlier publications, if somebody is hidden. What was done before this call is the first publication's.
 */
export function watchAdmin(ctx: AppContext): Watch {
  let seen = ctx.store.auditLog.last();
  let version = ctx.store.version();
  const look = async () => {
    const now = ctx.store.version();
    if (now === version) return;
    const entries = ctx.store.auditLog.actionsAfter(seen);
    version = now;
    seen = entries.at(-1)?.id ?? seen;
    const actions = entries.map(({ action }) => action).filter((action) => !SILENT.has(action));
    if (actions.length > 0) {
      await ctx.publications.publishNow({ hides: actions.includes('hide') });
    }
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => logFailure(ctx.logger, 'keeper_watch_failed', error));
  }, EVERY_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
