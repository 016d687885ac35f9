import type { AppContext } from '../context.ts';
import { logFailure } from './storage-fault.ts';

/** The account that acts on a page, or a person with access to commands. */
export interface Actor {
  operator_id: number | null;
  via: 'command' | 'page' | 'setup';
}

/** Somebody who may run `opbench-board`. */
export const COMMAND: Actor = { operator_id: null, via: 'command' };

interface AdminAction {
  /** In snake_case, such as `hide` or `key_issue`. */
  action: string;
  /** The object of the action: a codename, or the ID of a submission, message, key or challenge. */
  subject: string;
  /** The account that the action concerns; null for none. Deleting the account deletes the entry. */
  operator_id: number | null;
  reason: string | null;
  now: Date;
  by?: Actor | undefined;
}

/** Records an admin action. Call it inside the action's transaction. */
export function audit(store: AppContext['store'], { now, by = COMMAND, ...entry }: AdminAction) {
  const { operator_id: by_operator, via } = by;
  store.auditLog.add({ ...entry, created_at: now.toISOString(), by_operator, via });
}

const EVERY_MS = 1_000;

/** Actions that change nothing on the board's public pages. */
const SILENT: ReadonlySet<string> = new Set([
  'backup',
  'end_sessions',
  'invitation_create',
  'invitation_revoke',
  'key_issue',
  'key_revoke',
  'login_link',
  'message_answer',
  'message_done',
  'message_reopen',
  'role',
  'webhook_add',
  'webhook_disable',
  'webhook_enable',
  'webhook_remove',
  'webhook_rotate',
]);

export interface Watch {
  stop(): void;
}

/**
 * Publishes changes that the admin CLI, another process, has made. If an operator was hidden, it does so immediately
 * and discards all earlier publications. Changes from before this call are part of the first publication.
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
    if (entries.some(({ action }) => action === 'setting')) ctx.boardSettings.reload();
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
