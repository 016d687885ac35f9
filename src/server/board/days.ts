import type { Days, DaysQuery } from '#core/contract/leaderboard.ts';
import { Day } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { keptValues } from './board-head.ts';
import { invalidCursor } from '#server/publication/read/bounded-page.ts';

/** Later than every day. */
const END = '9999-12-31';

/**
 * A page of the days with stored boards, newest first.
 *
 * @throws {DomainError} `query_invalid` for a foreign cursor.
 */
export function readDays({ store }: AppContext, { limit, cursor = END }: DaysQuery): Days {
  if (!Day.safeParse(cursor).success) throw invalidCursor();
  return store.snapshot(() => {
    const days = store.keptDays.kept(cursor, limit + 1);
    const entries = days.slice(0, limit).map(({ self_reported: _, thinned, ...day }) => {
      return { ...day, values: keptValues({ thinned }) };
    });
    return {
      total: store.keptDays.total(),
      entries,
      next_cursor: days.length > limit ? (entries.at(-1)?.day ?? null) : null,
    };
  });
}
