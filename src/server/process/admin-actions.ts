import type { AuditAction, AuditVia } from '#core/schema/audit.ts';
import type { AppContext } from '../context.ts';
import { logFailure } from './storage-fault.ts';

/** The account that acts on a page, a person with access to commands, or the board itself. */
export interface Actor {
  operator_id: number | null;
  via: AuditVia;
}

/** Somebody who may run `opbench-board`. */
export const COMMAND: Actor = { operator_id: null, via: 'command' };

/** The board, by a schedule or a rule of its own. */
export const BOARD: Actor = { operator_id: null, via: 'board' };

interface AdminAction {
  action: AuditAction;
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

/** Actions that change nothing in a publication. */
const SILENT: ReadonlySet<AuditAction> = new Set([
  'announcement_end',
  'announcement_set',
  'backup',
  'backup_start',
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
  'setting',
  'webhook_add',
  'webhook_disable',
  'webhook_enable',
  'webhook_remove',
  'webhook_rotate',
  'witness_add',
  'witness_remove',
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
    const done = new Set(entries.map(({ action }) => action));
    if (done.has('setting')) ctx.boardSettings.reload();
    if (done.has('announcement_set') || done.has('announcement_end')) ctx.announcements.reload();
    const actions = [...done].filter((action) => !SILENT.has(action));
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
