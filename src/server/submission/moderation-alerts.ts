import type { AppContext } from '../context.ts';
import { decisionOf } from '../counting/submission-state.ts';

/**
 * Returns a function that logs the submissions that checks have put on hold since its last call, to alert the admin.
 * It does not log holds by the admin.
 */
export function createHoldAlerts({ store, logger }: Pick<AppContext, 'logger' | 'store'>) {
  let seen = store.log.head()?.index ?? 0;
  return () => {
    const end = store.log.head()?.index ?? 0;
    for (const entry of store.moderation.holdsBetween(seen, end)) {
      const { by, submission } = decisionOf(entry);
      if (by === 'keeper') continue;
      logger.warn('submission_held', { submission, check: by.slice('check:'.length) });
    }
    seen = end;
  };
}
