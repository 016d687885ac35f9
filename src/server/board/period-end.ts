import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { chunkOf } from '#core/domain/board/day-chunk.ts';
import type { DailyPlace } from '#core/domain/board/day-row.ts';
import type { PeriodEnd, ReviewSpan } from '#core/domain/board/review.ts';
import { intervalOfRuleset } from '#core/domain/board/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { dayAfter, dayName, dayNumber } from '#core/domain/counting/day.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { conservativeBy } from '#core/domain/metrics/conservative.ts';
import type { IntervalMethod } from '#core/domain/metrics/interval.ts';
import type { ClassTier, WindowName } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import {
  currentPublication,
  type PublicOperator,
} from '../publication/read/current-publication.ts';

const { window: WINDOW, metric: METRIC } = DEFAULT_VIEW;

/**
 * An operator's rank and class at the end of a period: on the current board if its day is in the period, or on the last
 * stored day of the period, which keeps its values; null without one.
 */
export function readPeriodEnd(
  ctx: AppContext,
  operator: PublicOperator,
  { first, last }: ReviewSpan,
): PeriodEnd | null {
  const { as_of } = currentPublication(ctx);
  const today = dayNumber(as_of);
  if (today >= first && today <= last) return readStandingNow(ctx, operator);
  const [kept] = ctx.store.keptDays.kept(dayAfter(dayName(last)), 1);
  return kept && dayNumber(kept.day) >= first ? endOn(ctx, operator, kept) : null;
}

/** An operator's rank and class on the current board of all tools. */
export function readStandingNow(ctx: AppContext, { codename }: PublicOperator): PeriodEnd {
  const { as_of, operators, window } = currentPublication(ctx);
  const entry = window(WINDOW).find(METRIC, codename);
  const rank = entry && 'rank' in entry ? entry.rank : null;
  return { day: as_of, rank, class_tier: operators.classOf(codename) };
}

function endOn(
  { store }: AppContext,
  { id }: PublicOperator,
  { day, ruleset }: { day: string; ruleset: string },
): PeriodEnd {
  const chunk = store.keptDays.chunk(day, DEFAULT_SLICE, chunkOf(id));
  const placeIn = (window: WindowName) => chunk?.place(id, window, METRIC) ?? null;
  return {
    day,
    rank: placeIn(WINDOW)?.rank ?? null,
    class_tier: classAt(placeIn(CLASS_WINDOW), intervalOfRuleset(ruleset)),
  };
}

function classAt(place: DailyPlace | null, method: IntervalMethod): ClassTier {
  return classTierOf(place?.rank ? conservativeBy('yield', place, method) : null);
}
