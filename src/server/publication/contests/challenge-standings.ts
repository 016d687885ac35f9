/** The standings of challenges, ranked as boards are, by the days and rules of a challenge. */
import { rankContenders } from '#core/domain/board/board.ts';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import {
  highestAt,
  lowestAt,
  metricAt,
  rankingAt,
  type RowPlace,
  standingAt,
  totalAt,
  valueAt,
} from '../state/standing-row.ts';

type Ranking = ReturnType<typeof rankContenders>;

/** The places of a challenge by the index of each contender. Unranked ones: the highest conservative value first. */
export function challengeRanking(
  { metric }: Pick<RankedChallenge, 'metric'>,
  rows: readonly RowPlace[],
): Ranking {
  const index = METRIC_NAMES.indexOf(metric);
  const lows = rows.map(({ numbers, at }) => valueAt(numbers, at, index));
  const bounds = {
    lows: rows.map(({ numbers, at }) => lowestAt(numbers, at, metric)),
    highs: rows.map(({ numbers, at }) => highestAt(numbers, at, metric)),
  };
  const totals = rows.map(({ numbers, at }) => totalAt(numbers, at));
  const { unranked, ...ranking } = rankContenders({ lows, bounds, totals });
  const heights = rows.map(({ numbers, at }, row) => [
    lastIfNaN(rankingAt(numbers, at, index)),
    lastIfNaN(metricAt(numbers, at, metric)),
    totals[row] as number,
  ]);
  return {
    ...ranking,
    unranked: unranked.sort((a, b) => falling(heights[a] ?? [], heights[b] ?? []) || a - b),
  };
}

function lastIfNaN(value: number): number {
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** The first numbers that differ decide. Infinities cannot be subtracted from each other. */
function falling(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (b[at] as number) - (a[at] as number);
}

/** The values in a challenge's row. */
export function challengeValues(row: RowPlace, metric: MetricName) {
  const { metrics, conservative, intervals, bases } = standingAt(row);
  const [low, high] = intervals[metric] ?? [Number.NaN, null];
  return {
    value: metrics[metric] ?? Number.NaN,
    conservative: conservative[metric],
    low,
    /** Null if the value has no upper bound. */
    high,
    total: bases.all.total,
    active_days: bases[BASIS[metric]].active_days,
  };
}
