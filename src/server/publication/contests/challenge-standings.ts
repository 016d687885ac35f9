/** The standings of challenges, ranked as boards are, by the days and rules of a challenge. */
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { rankContenders } from '#core/domain/board/board.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { ChallengeColumns } from '../read/columns.ts';
import { TOTAL_AT, VALUES_AT } from '../project/projected-operator.ts';
import { STANDING_NUMBERS, highAt, lowAt, metricAt, standingAt } from '../read/standing-numbers.ts';

/** An operator with tokens that count in a challenge, by position, and where the operator's row begins. */
export interface ContenderRow {
  position: number;
  numbers: Float64Array;
  at: number;
}

/** A place in a challenge: the operator, by position, and the values. */
interface ChallengePlace {
  place: number;
  rank: number;
  best: number;
  worst: number;
  position: number;
  value: number;
  low: number;
  /** Null if the value has no upper bound. */
  high: number | null;
  total: number;
  active_days: number;
}

/** @param contenders In the order of their names. */
export function challengeColumns(
  { seq, metric, eligibility }: RankedChallenge,
  contenders: readonly ContenderRow[],
): ChallengeColumns {
  const index = METRIC_NAMES.indexOf(metric);
  const lows = contenders.map(({ numbers, at }) => numbers[at + VALUES_AT + index] as number);
  const highs = contenders.map(({ numbers, at }) => highAt(numbers, at, index));
  const totals = contenders.map(({ numbers, at }) => numbers[at + TOTAL_AT] as number);
  const { unranked, ...ranking } = rankContenders({ lows, highs, totals });
  const standings = new Float64Array(contenders.length * STANDING_NUMBERS);
  contenders.forEach(({ numbers, at }, row) => {
    standings.set(numbers.subarray(at, at + STANDING_NUMBERS), row * STANDING_NUMBERS);
  });
  const heights = contenders.map(({ numbers, at }) => [
    lastIfNaN(lowAt(numbers, at, index)),
    lastIfNaN(metricAt(numbers, at, metric)),
    numbers[at + TOTAL_AT] as number,
  ]);
  return {
    seq,
    metric,
    eligibility,
    operators: Uint32Array.from(contenders, ({ position }) => position),
    standings,
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

/** The index in a row of the ranking, from 0. */
export function challengePlaceAt(columns: ChallengeColumns, index: number): ChallengePlace {
  const number = (column: Uint32Array) => column[index] as number;
  const row = number(columns.ranked);
  const { metrics, intervals, bases } = standingAt(columns.standings, row * STANDING_NUMBERS);
  const { metric } = columns;
  const [low, high] = intervals[metric] ?? [Number.NaN, null];
  return {
    place: index + 1,
    rank: number(columns.ranks),
    best: number(columns.best),
    worst: number(columns.worst),
    position: columns.operators[row] as number,
    value: metrics[metric] ?? Number.NaN,
    low,
    high,
    total: bases.all.total,
    active_days: bases[BASIS[metric]].active_days,
  };
}
