/** Metrics over time, as a board would have shown them. */
import { NEWEST_RULESET } from '#core/domain/board/ruleset.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';

export interface RollingPoint {
  /** The last day of the window, `YYYY-MM-DD`. */
  date: string;
  /** Null without tokens in the window. */
  standing: Standing | null;
}

/** Longer periods have a point for each week. */
const MOST_DAYS = 400;

/**
 * The standing over the last 30 days, for each day or week from `first` to `last`.
 *
 * @param usage Sorted by day, from 30 days before `first` on.
 */
export function rollingStandings(
  usage: readonly DayUsage[],
  first: number,
  last: number,
): RollingPoint[] {
  const series = seriesOf(usage);
  const step = last - first < MOST_DAYS ? 1 : 7;
  const points = Math.floor((last - first) / step) + 1;
  return Array.from({ length: points }, (_, index) => {
    const day = last - (points - 1 - index) * step;
    const from = firstDayOf('30d', day);
    const standing = standingOf(series, from, day, NEWEST_RULESET);
    return { date: dayName(day), standing };
  });
}
