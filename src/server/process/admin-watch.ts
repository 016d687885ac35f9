import type { AppContext } from '../context.ts';
import { logFailure } from './storage-fault.ts';

/** How often it is looked whether a keeper has done something, in milliseconds. */
const EVERY_MS = 1_000;

/** What changes nothing that the board shows. */
const SILENT: ReadonlySet<string> = new Set(['backup', 'key_issue', 'key_revoke', 'login_link']);

export interface Watch {
  stop(): void;
}

/**
 * Publishes what a keeper did with the command, which is another process: at once, and in place of all
 * earlier publications, if somebody is hidden. What was done before this call is the first publication's.
 */
export function watchKeeper(ctx: AppContext): Watch {
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
