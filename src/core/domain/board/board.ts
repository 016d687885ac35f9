/** The board: who is ranked by a metric, in which order, the rank ranges, and what unranked operators still need. */
import type { TrustFilter, UnrankedReason } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { BASIS } from '../metrics/day-series.ts';
import { significant } from '../metrics/metrics.ts';
import type { Eligibility } from './ruleset.ts';
import type { BasisUsage, Standing } from '../metrics/standing.ts';
import { firstNot } from '../text/binary-search.ts';
import { unrankedReason } from './unranked-texts.ts';

/** Which buckets a board counts. */
export interface BoardSlice {
  /** The only tool that counts; null for all. */
  tool: string | null;
  /** Only buckets that a device signed, or self-reported ones too. */
  trust: TrustFilter;
}

/** One metric's board. Contenders are identified by their position. */
interface Ranking {
  /** Best first. */
  ranked: Uint32Array<ArrayBuffer>;
  /** The rank of each of `ranked`. */
  ranks: Uint32Array<ArrayBuffer>;
  /** The best and worst rank of each of `ranked` that the intervals allow. */
  best: Uint32Array<ArrayBuffer>;
  worst: Uint32Array<ArrayBuffer>;
  /** In the order of codenames. */
  unranked: Uint32Array<ArrayBuffer>;
}

/** The operators to rank, in the order of their codenames. */
export interface Contenders {
  /** The {@linkcode rankingValue} of each; NaN if it cannot be ranked. */
  lows: ArrayLike<number>;
  /** Between which bounds each one's true value plausibly lies when two are compared; infinite if there is none. */
  bounds: { lows: ArrayLike<number>; highs: ArrayLike<number> };
  /** The tokens of each. */
  totals: ArrayLike<number>;
}

/**
 * Ranks contenders by one metric, in O(n log n). Equal values share a rank (1, 2, 2, 4). In a tie, more tokens
 * come first, then the smaller codename. The best rank is 1 + the number of contenders whose bounds lie entirely
 * above; the worst is n - the number whose bounds lie entirely below.
 */
export function rankContenders({ lows, bounds, totals }: Contenders): Ranking {
  const order = orderContenders({ lows, totals });
  return { ...order, ...placesOf(order.ranked, bounds) };
}

/** The order and the ranks alone. */
export function orderContenders({ lows, totals }: Omit<Contenders, 'bounds'>) {
  const { rankable, unranked } = sortOut(lows);
  const lowsDown = valuesOf(lows, rankable).sort().reverse();
  const { ranked, ranks } = inOrder(rankable, lows, lowsDown);
  sortTies(ranked, ranks, totals);
  return { ranked, ranks, unranked };
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

/** Puts each contender at the place of its value. Sorting plain numbers is much faster than sorting positions. */
function inOrder(
  positions: Uint32Array,
  lows: ArrayLike<number>,
  lowsDown: Float64Array,
): Pick<Ranking, 'ranked' | 'ranks'> {
  const ranked = new Uint32Array(positions.length);
  const ranks = new Uint32Array(positions.length);
  // How many contenders of each rank have their place already.
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

/** Sorts contenders who share a rank by their tokens. They are in the order of their codenames before. */
function sortTies(ranked: Uint32Array, ranks: Uint32Array, totals: ArrayLike<number>): void {
  const total = (position: number) => totals[position] as number;
  for (let from = 0; from < ranked.length;) {
    let to = from + 1;
    while (to < ranked.length && ranks[to] === ranks[from]) to += 1;
    if (to - from > 1) ranked.subarray(from, to).sort((a, b) => total(b) - total(a) || a - b);
    from = to;
  }
}

/** The best and worst rank of each ranked contender. */
function placesOf(
  ranked: Uint32Array,
  { lows, highs }: Contenders['bounds'],
): Pick<Ranking, 'best' | 'worst'> {
  const n = ranked.length;
  const [lowsDown, highsUp] = [valuesOf(lows, ranked).sort().reverse(), valuesOf(highs, ranked)];
  highsUp.sort();
  const best = new Uint32Array(n);
  const worst = new Uint32Array(n);
  ranked.forEach((position, place) => {
    const [low, high] = [lows[position] as number, highs[position] as number];
    best[place] = 1 + countAbove(lowsDown, high);
    worst[place] = n - firstNot(n, (at) => (highsUp[at] as number) < low);
  });
  return { best, worst };
}

/** How many of a descending list of numbers are above a limit. */
function countAbove(falling: Float64Array, limit: number): number {
  return firstNot(falling.length, (at) => (falling[at] as number) > limit);
}

/** The number that decides the order: the metric's conservative value. Null if the operator cannot be ranked. */
export function rankingValue(
  standing: Standing,
  metric: MetricName,
  eligibility: Eligibility,
): number | null {
  const isRanked = conditionsOf(metric, eligibility).every(({ holds }) => holds(standing));
  return isRanked ? standing.conservative[metric] : null;
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

/** The fewest ranked operators for which a percentile is meaningful. */
const MIN_FOR_PERCENTILE = 20;

/**
 * The share of ranked operators strictly below, to 12 significant digits; null below 20 ranked.
 *
 * @param ranks The ranks of all, best first.
 * @param place The operator's index there.
 */
export function percentileOf(ranks: ArrayLike<number>, place: number): number | null {
  let end = place + 1;
  while (end < ranks.length && ranks[end] === ranks[place]) end += 1;
  return shareBelow(ranks.length - end, ranks.length);
}

/** A share of ranked operators, to 12 significant digits; null below 20 ranked. */
export function shareBelow(below: number, total: number): number | null {
  return total < MIN_FOR_PERCENTILE ? null : significant(below / total);
}

/** A requirement for a rank. */
interface Condition {
  code: UnrankedReason['code'];
  required: number | null;
  actual: (standing: Standing) => number | null;
  holds: (standing: Standing) => boolean;
}

/** Cache of the conditions, by eligibility and metric. */
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
  const { stated_days } = eligibility;
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
    ...(stated_days ? [atLeast('stated_days_low', stated_days, (of) => of.stated_days)] : []),
    measurable('metric_undefined', ({ metrics }) => metrics[metric] !== null),
    measurable('interval_undefined', (standing) => hasInterval(standing, metric)),
  ];
}

function measurable(code: Condition['code'], holds: Condition['holds']): Condition {
  return { code, required: null, actual: () => null, holds };
}

/** Whether the value has a usable interval. An snr of 1 has none. An undefined value is reported by another condition. */
function hasInterval({ bases, metrics, intervals }: Standing, metric: MetricName): boolean {
  if (metrics[metric] === null) return true;
  if (metric === 'snr' && bases.all.input === 0) return false;
  return intervals[metric] !== null;
}
