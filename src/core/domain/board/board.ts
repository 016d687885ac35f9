/** The board: who is ranked by a metric, in which order, how sure that is, and what the others lack. */
import type { TrustFilter, UnrankedReason } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { BASIS } from '../metrics/day-series.ts';
import { significant } from '../metrics/metrics.ts';
import type { Eligibility } from './ruleset.ts';
import type { BasisUsage, Standing } from '../metrics/standing.ts';
import { unrankedReason } from './unranked-texts.ts';

/** Which buckets a board counts. */
export interface BoardSlice {
  /** The only tool that counts; null for all. */
  tool: string | null;
  /** Those that a device signed, or also self-reported ones. */
  trust: TrustFilter;
}

/** One metric's board over contenders, which it names by their position. */
interface Ranking {
  /** Best first. */
  ranked: Uint32Array<ArrayBuffer>;
  /** The rank of each of `ranked`. */
  ranks: Uint32Array<ArrayBuffer>;
  /** The best and the worst place of each of `ranked` that the intervals allow. */
  best: Uint32Array<ArrayBuffer>;
  worst: Uint32Array<ArrayBuffer>;
  /** By codename. */
  unranked: Uint32Array<ArrayBuffer>;
}

/** Who is to be ranked, each by the position in the order of codenames. */
export interface Contenders {
  /** The {@linkcode rankingValue} of each; NaN for those that cannot be ranked. */
  lows: ArrayLike<number>;
  /** The upper end of each one's interval; infinite where nothing bounds it. */
  highs: ArrayLike<number>;
  /** All tokens of each. */
  totals: ArrayLike<number>;
}

/**
 * Ranks contenders by one metric, in O(n log n). Equal values share a rank (1, 2, 2, 4); in a tie more
 * tokens come first, then the smaller codename. The best place is 1 + those wholly above the
 * contender's interval, the worst n - those wholly below.
 */
export function rankContenders({ lows, highs, totals }: Contenders): Ranking {
  const { rankable, unranked } = sortOut(lows);
  const lowsDown = valuesOf(lows, rankable).sort().reverse();
  const { ranked, ranks } = inOrder(rankable, lows, lowsDown);
  sortTies(ranked, ranks, totals);
  return { ranked, ranks, ...placesOf(ranked, lowsDown, highs), unranked };
}

/** The positions of those with and without a value. */
function sortOut(lows: ArrayLike<number>) {
  const positions = new Uint32Array(lows.length);
  let found = 0;
  let missing = 0;
  for (let position = 0; position < lows.length; position += 1) {
    if (Number.isNaN(lows[position])) positions[lows.length - 1 - missing++] = position;
    else positions[found++] = position;
  }
  return { rankable: positions.slice(0, found), unranked: positions.slice(found).reverse() };
}

function valuesOf(values: ArrayLike<number>, positions: Uint32Array): Float64Array<ArrayBuffer> {
  const chosen = new Float64Array(positions.length);
  for (let at = 0; at < positions.length; at += 1) {
    chosen[at] = values[positions[at] as number] as number;
  }
  return chosen;
}

/** Puts each contender where its value stands among all: numbers alone are sorted much faster than positions. */
function inOrder(
  positions: Uint32Array,
  lows: ArrayLike<number>,
  lowsDown: Float64Array,
): Pick<Ranking, 'ranked' | 'ranks'> {
  const ranked = new Uint32Array(positions.length);
  const ranks = new Uint32Array(positions.length);
  // How many places of each rank are taken.
  const taken = new Uint32Array(positions.length);
  for (const position of positions) {
    const above = countAbove(lowsDown, lows[position] as number);
    const place = above + (taken[above] as number);
    taken[above] = (taken[above] as number) + 1;
    ranked[place] = position;
    ranks[place] = above + 1;
  }
  return { ranked, ranks };
}

/** Sorts those who share a rank, who stand in the order of their codenames, by their tokens. */
function sortTies(ranked: Uint32Array, ranks: Uint32Array, totals: ArrayLike<number>): void {
  const total = (position: number) => totals[position] as number;
  for (let from = 0; from < ranked.length;) {
    let to = from + 1;
    while (to < ranked.length && ranks[to] === ranks[from]) to += 1;
    if (to - from > 1) ranked.subarray(from, to).sort((a, b) => total(b) - total(a) || a - b);
    from = to;
  }
}

/** The best and the worst place of ranked contenders, whose lower ends fall. */
function placesOf(
  ranked: Uint32Array,
  lowsDown: Float64Array,
  highs: ArrayLike<number>,
): Pick<Ranking, 'best' | 'worst'> {
  const n = ranked.length;
  const highsHere = valuesOf(highs, ranked);
  const highsUp = highsHere.slice().sort();
  const best = new Uint32Array(n);
  const worst = new Uint32Array(n);
  // With the lower ends falls the number of those wholly below.
  let below = n;
  for (let place = 0; place < n; place += 1) {
    best[place] = 1 + countAbove(lowsDown, highsHere[place] as number);
    while (below > 0 && (highsUp[below - 1] as number) >= (lowsDown[place] as number)) below -= 1;
    worst[place] = n - below;
  }
  return { best, worst };
}

/** How many of falling numbers are above a limit, by binary search. */
function countAbove(falling: Float64Array, limit: number): number {
  let low = 0;
  let high = falling.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((falling[middle] as number) > limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The number that decides the order: the conservative value, the lower end of the metric's interval;
 * null for who cannot be ranked.
 */
export function rankingValue(
  standing: Standing,
  metric: MetricName,
  eligibility: Eligibility,
): number | null {
  const isRanked = conditionsOf(metric, eligibility).every(({ holds }) => holds(standing));
  return isRanked ? (standing.intervals[metric]?.[0] ?? null) : null;
}

/** Every condition that a standing does not meet for a metric, with both numbers. */
export function whatIsMissing(
  standing: Standing,
  metric: MetricName,
  eligibility: Eligibility,
): UnrankedReason[] {
  return conditionsOf(metric, eligibility)
    .filter(({ holds }) => !holds(standing))
    .map(({ code, required, actual }) =>
      unrankedReason({ code, required, actual: actual(standing) }, metric),
    );
}

/** From how many ranked operators on a percentile says something. */
const MIN_FOR_PERCENTILE = 20;

/**
 * The share of ranked operators strictly below, to 12 significant digits; null below 20 ranked.
 *
 * @param ranks The ranks of all, best first.
 * @param place The operator's index there.
 */
export function percentileOf(ranks: ArrayLike<number>, place: number): number | null {
  if (ranks.length < MIN_FOR_PERCENTILE) return null;
  let below = place + 1;
  while (below < ranks.length && ranks[below] === ranks[place]) below += 1;
  return significant((ranks.length - below) / ranks.length);
}

/** What is asked of a standing. */
interface Condition {
  code: UnrankedReason['code'];
  required: number | null;
  actual: (standing: Standing) => number | null;
  holds: (standing: Standing) => boolean;
}

/** The conditions of each eligibility by metric: they are asked for again and again. */
const known = new WeakMap<Eligibility, Map<MetricName, Condition[]>>();

function conditionsOf(metric: MetricName, eligibility: Eligibility): Condition[] {
  let byMetric = known.get(eligibility);
  if (!byMetric) known.set(eligibility, (byMetric = new Map()));
  let conditions = byMetric.get(metric);
  if (!conditions) byMetric.set(metric, (conditions = makeConditions(metric, eligibility)));
  return conditions;
}

function makeConditions(metric: MetricName, eligibility: Eligibility): Condition[] {
  const basis = BASIS[metric];
  const atLeast = (code: Condition['code'], required: number, actual: Condition['actual']) => {
    return { code, required, actual, holds: (of: Standing) => (actual(of) ?? 0) >= required };
  };
  const ofUsage = (code: Condition['code'], required: number, field: keyof BasisUsage) =>
    atLeast(code, required, ({ bases }) => bases[basis][field]);
  return [
    ofUsage('active_days_low', eligibility.active_days, 'active_days'),
    ofUsage('effective_days_low', eligibility.effective_days, 'effective_days'),
    ofUsage('total_low', eligibility.total_tokens, 'total'),
    ofUsage('output_low', eligibility.output_tokens, 'output'),
    atLeast('coverage_low', eligibility.coverage, ({ coverage }) => coverage[basis]),
    measurable('metric_undefined', ({ metrics }) => metrics[metric] !== null),
    measurable('interval_undefined', (standing) => hasInterval(standing, metric)),
  ];
}

function measurable(code: Condition['code'], holds: Condition['holds']): Condition {
  return { code, required: null, actual: () => null, holds };
}

/** Whether something tells how sure a value is: nothing does of an snr of 1. An undefined value lacks more. */
function hasInterval({ bases, metrics, intervals }: Standing, metric: MetricName): boolean {
  if (metrics[metric] === null) return true;
  if (metric === 'snr' && bases.all.input === 0) return false;
  return intervals[metric] !== null;
}
