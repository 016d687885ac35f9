import type { AppContext } from '../context.ts';
import { decisionOf } from '../counting/submission-state.ts';

/**
 * Makes what logs the submissions that checks have held since it was last called, so that an admin hears
 * of them; an admin's own holds are no news.
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
