/** Where an operator would stand whom the public does not see. */
import type { MyStanding } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board.ts';
import { dayNumber } from '#core/domain/day.ts';
import { seriesOf } from '#core/domain/day-series.ts';
import { eligibilityIn } from '#core/domain/ruleset.ts';
import { standingOf } from '#core/domain/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import type { AppContext } from '../context.ts';
import type { Operator } from '../operator.ts';
import type { Publication } from '../publication/publication.ts';
import { signedUsage } from './signed-usage.ts';

/**
 * The own standing of a private or hidden operator in every window with signed tokens, computed from what
 * counts now: no publication holds it. It has no rank, and the first reason says why.
 */
export function ownStandings(
  { store, ruleset }: AppContext,
  publication: Publication,
  { id: operator_id, hidden_at }: Operator,
): MyStanding[] {
  const code = hidden_at === null ? 'private' : 'hidden';
  const series = seriesOf(signedUsage({ store }, operator_id));
  const last = dayNumber(publication.as_of);
  return WINDOWS.flatMap((window) => {
    const first = firstDayOf(window, last);
    const standing = standingOf(series, first, last, ruleset.active_day_tokens);
    if (!standing) return [];
    const missing = whatIsMissing(standing, 'yield', eligibilityIn(ruleset, window));
    const reasons = [{ code, required: null, actual: null } as const, ...missing];
    const total = publication.window(window).total('yield');
    return [
      {
        window,
        metrics: standing.metrics,
        interval: standing.intervals.yield,
        rank: null,
        rank_range: null,
        movement: null,
        total,
        reasons,
      },
    ];
  });
}
