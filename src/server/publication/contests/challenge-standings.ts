/** Standings of challenges: the ranking of boards, over the days and rules of a challenge. */
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { rankContenders } from '#core/domain/board/board.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { ChallengeColumns } from '../read/columns.ts';
import { TOTAL_AT, VALUES_AT } from '../project/projected-operator.ts';
import { STANDING_NUMBERS, highAt, lowAt, metricAt, standingAt } from '../read/standing-numbers.ts';

/** Who has tokens that count in a challenge, by position, and where the row of it begins. */
export interface ChallengeContender {
  position: number;
  numbers: Float64Array;
  at: number;
}

/** A place of a challenge: whose it is, by position, and what it rests on. */
export interface ChallengePlace {
  place: number;
  rank: number;
  best: number;
  worst: number;
  position: number;
  value: number;
  low: number;
  /** Null where nothing bounds the value. */
  high: number | null;
  total: number;
  active_days: number;
}

/** @param contenders In the order of their names. */
export function challengeColumns(
  { seq, metric, eligibility }: RankedChallenge,
  contenders: readonly ChallengeContender[],
): ChallengeColumns {
  const index = METRIC_NAMES.indexOf(metric);
  const lows = contenders.map(({ numbers, at }) => numbers[at + VALUES_AT + index] as number);
  const highs = contenders.map(({ numbers, at }) => highAt(numbers, at, index));
  const totals = contenders.map(({ numbers, at }) => numbers[at + TOTAL_AT] as number);
  const { ranked, ranks, best, worst, unranked } = rankContenders({ lows, highs, totals });
  const standings = [...ranked].map((row) => {
    const { numbers, at } = contenders[row] as ChallengeContender;
    return standingAt(numbers, at);
  });
  const ofRanked = (column: readonly number[]) =>
    Float64Array.from(ranked, (row) => column[row] as number);
  return {
    seq,
    operators: Uint32Array.from(ranked, (row) => contenders[row]?.position ?? 0),
    ranks,
    best,
    worst,
    values: Float64Array.from(standings, ({ metrics }) => metrics[metric] ?? Number.NaN),
    lows: ofRanked(lows),
    highs: ofRanked(highs),
    totals: ofRanked(totals),
    active_days: Uint32Array.from(standings, ({ bases }) => bases[BASIS[metric]].active_days),
    unranked: unranked.length,
    metric,
    eligibility,
    ...unrankedColumns(
      metric,
      Array.from(unranked, (row) => contenders[row] as ChallengeContender),
    ),
  };
}

/** Those without a place, the highest conservative value so far first, then the highest value. */
function unrankedColumns(
  metric: MetricName,
  contenders: readonly ChallengeContender[],
): Pick<ChallengeColumns, 'unranked_operators' | 'unranked_standings'> {
  const index = METRIC_NAMES.indexOf(metric);
  const rows = contenders.map(({ position, numbers, at }) => ({
    position,
    standing: numbers.subarray(at, at + STANDING_NUMBERS),
    low: lastIfNaN(lowAt(numbers, at, index)),
    value: lastIfNaN(metricAt(numbers, at, metric)),
    total: numbers[at + TOTAL_AT] as number,
  }));
  rows.sort((a, b) => {
    return (
      falling(a.low, b.low) ||
      falling(a.value, b.value) ||
      falling(a.total, b.total) ||
      a.position - b.position
    );
  });
  const standings = new Float64Array(rows.length * STANDING_NUMBERS);
  rows.forEach(({ standing }, row) => standings.set(standing, row * STANDING_NUMBERS));
  return {
    unranked_operators: Uint32Array.from(rows, ({ position }) => position),
    unranked_standings: standings,
  };
}

function lastIfNaN(value: number): number {
  return Number.isNaN(value) ? Number.NEGATIVE_INFINITY : value;
}

/** Infinities cannot be subtracted from each other. */
function falling(a: number, b: number): number {
  return a === b ? 0 : b - a;
}

/** The place in a row of the columns, from 0 on. */
export function challengePlaceAt(columns: ChallengeColumns, index: number): ChallengePlace {
  const number = (column: ArrayLike<number>) => column[index] as number;
  const high = number(columns.highs);
  return {
    place: index + 1,
    rank: number(columns.ranks),
    best: number(columns.best),
    worst: number(columns.worst),
    position: number(columns.operators),
    value: number(columns.values),
    low: number(columns.lows),
    high: Number.isFinite(high) ? high : null,
    total: number(columns.totals),
    active_days: number(columns.active_days),
  };
}
