/** Where an operator would stand whom the public does not see. */
import type { MyStanding } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board.ts';
import { dayNumber } from '#core/domain/day.ts';
import { standingOf } from '#core/domain/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import type { AppContext } from '../context.ts';
import type { Publication } from '../publication/publication.ts';
import { UsageReader } from '../publication/usage-reader.ts';

/**
 * A private operator's own standing in every window with signed tokens, computed from what counts now:
 * no publication holds it. It has no rank, and the first reason says why.
 */
export function ownStandings(
  { store, ruleset }: AppContext,
  publication: Publication,
  operator_id: number,
): MyStanding[] {
  const usage = new UsageReader()
    .read(store.buckets.counting(operator_id))
    .filter(({ source }) => source.trust === 'signed');
  const last = dayNumber(publication.as_of);
  return WINDOWS.flatMap((window) => {
    const first = firstDayOf(window, last);
    const standing = standingOf(usage, first, last, ruleset.active_day_tokens);
    if (!standing) return [];
    const missing = whatIsMissing(standing, 'yield', window, ruleset);
    const reasons = [{ code: 'private', required: null, actual: null } as const, ...missing];
    const total = publication.window(window).total('yield');
    return [{ window, metrics: standing.metrics, rank: null, total, reasons }];
  });
}
