/** Where an operator would stand whom the public does not see. */
import type { MyStanding } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board.ts';
import { dayNumber } from '#core/domain/day.ts';
import { seriesOf } from '#core/domain/day-series.ts';
import { eligibilityIn } from '#core/domain/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/slices.ts';
import { standingOf } from '#core/domain/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator.ts';
import type { Publication } from '../publication/publication.ts';
import { RecentMemo } from '../recent-memo.ts';
import { summedDays } from './summed-days.ts';

/**
 * The own standing of a private or hidden operator in every window with signed tokens, computed from what
 * counts now: no publication holds it. It has no rank, and the first reason says why.
 */
export function ownStandings(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
): readonly MyStanding[] {
  return known.read(publication, changeKey(operator), () =>
    computeStandings(ctx, publication, operator),
  );
}

/** So many operators' standings are kept of a publication. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, readonly MyStanding[]>(MAX_KEPT);

function computeStandings(
  { store, ruleset }: AppContext,
  publication: Publication,
  operator: Operator,
): MyStanding[] {
  const last = dayNumber(publication.as_of);
  const series = seriesOf(summedDays(store, operator, DEFAULT_SLICE));
  return WINDOWS.flatMap((window) => {
    const first = firstDayOf(window, last);
    const standing = standingOf(series, first, last, ruleset.active_day_tokens);
    if (!standing) return [];
    const missing = whatIsMissing(standing, 'yield', eligibilityIn(ruleset, window));
    const reasons = [whyUnseen(operator), ...missing];
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

/** Why the public does not see an operator whom it does not. */
export function whyUnseen({ hidden_at }: Pick<Operator, 'hidden_at'>): UnrankedReason {
  return { code: hidden_at === null ? 'private' : 'hidden', required: null, actual: null };
}
