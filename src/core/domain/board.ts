/** The board: who is ranked by a metric in a window, in which order, and what the others lack. */
import type { TrustFilter, UnrankedReason, WindowName } from '../schema/board.ts';
import type { MetricName } from '../schema/record.ts';
import { significant } from './metrics.ts';
import type { Ruleset } from './ruleset.ts';
import { BASIS, type BasisUsage, type Standing } from './standing.ts';

/** Which buckets a board counts. */
export interface BoardSlice {
  /** The only tool that counts; null for all. */
  tool: string | null;
  /** Those that a device signed, or also self-reported ones. */
  trust: TrustFilter;
}

/** One metric's board over contenders, which it names by their position. */
export interface Ranking {
  /** Best first. */
  ranked: number[];
  /** The rank of each of `ranked`. */
  ranks: number[];
  /** By codename. */
  unranked: number[];
}

/**
 * Ranks contenders by one metric. Equal values share a rank (1, 2, 2, 4); in a tie more tokens come
 * first, then the smaller codename.
 *
 * @param values The {@linkcode rankingValue} of each contender, who are in codename order; NaN for
 * those that cannot be ranked.
 * @param totals All tokens of each.
 */
export function rankContenders(values: ArrayLike<number>, totals: ArrayLike<number>): Ranking {
  const value = (position: number) => values[position] as number;
  const total = (position: number) => totals[position] as number;
  const ranked: number[] = [];
  const unranked: number[] = [];
  for (let position = 0; position < values.length; position += 1) {
    (Number.isNaN(value(position)) ? unranked : ranked).push(position);
  }
  ranked.sort((a, b) => value(b) - value(a) || total(b) - total(a) || a - b);
  const ranks: number[] = [];
  ranked.forEach((position, index) => {
    const above = ranked[index - 1];
    const isTied = above !== undefined && value(above) === value(position);
    ranks.push(isTied ? (ranks[index - 1] as number) : index + 1);
  });
  return { ranked, ranks, unranked };
}

/** The number that decides the order, the metric's value in the window; null for who cannot be ranked. */
export function rankingValue(
  standing: Standing,
  metric: MetricName,
  window: WindowName,
  ruleset: Ruleset,
): number | null {
  const isRanked = conditionsOf(metric, window, ruleset).every(({ holds }) => holds(standing));
  return isRanked ? standing.metrics[metric] : null;
}

/** Every condition of the ruleset that a standing does not meet for a metric, with both numbers. */
export function whatIsMissing(
  standing: Standing,
  metric: MetricName,
  window: WindowName,
  ruleset: Ruleset,
): UnrankedReason[] {
  return conditionsOf(metric, window, ruleset)
    .filter(({ holds }) => !holds(standing))
    .map(({ code, required, actual }) => ({ code, required, actual: actual(standing) }));
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

/** What a ruleset asks of a standing. */
interface Condition {
  code: UnrankedReason['code'];
  required: number | null;
  actual: (standing: Standing) => number | null;
  holds: (standing: Standing) => boolean;
}

/** The conditions of each ruleset, by metric and window: they are asked for again and again. */
const known = new WeakMap<Ruleset, Map<string, Condition[]>>();

function conditionsOf(metric: MetricName, window: WindowName, ruleset: Ruleset): Condition[] {
  let ofRuleset = known.get(ruleset);
  if (!ofRuleset) known.set(ruleset, (ofRuleset = new Map()));
  const key = `${metric} ${window}`;
  let conditions = ofRuleset.get(key);
  if (!conditions) ofRuleset.set(key, (conditions = makeConditions(metric, window, ruleset)));
  return conditions;
}

function makeConditions(metric: MetricName, window: WindowName, ruleset: Ruleset): Condition[] {
  const basis = BASIS[metric];
  const atLeast = (code: Condition['code'], required: number, actual: Condition['actual']) => {
    return { code, required, actual, holds: (of: Standing) => (actual(of) ?? 0) >= required };
  };
  const ofUsage = (code: Condition['code'], required: number, field: keyof BasisUsage) =>
    atLeast(code, required, ({ bases }) => bases[basis][field]);
  return [
    ofUsage('active_days_low', ruleset.active_days[window], 'active_days'),
    ofUsage('effective_days_low', ruleset.effective_days[window], 'effective_days'),
    ofUsage('total_low', ruleset.total_tokens, 'total'),
    ofUsage('output_low', ruleset.output_tokens, 'output'),
    atLeast('coverage_low', ruleset.coverage, ({ coverage }) => coverage[basis]),
    measurable('metric_undefined', ({ metrics }) => metrics[metric] !== null),
    measurable('interval_undefined', (standing) => !isAtEndOfScale(standing, metric)),
  ];
}

function measurable(code: Condition['code'], holds: Condition['holds']): Condition {
  return { code, required: null, actual: () => null, holds };
}

/** An snr of 1: nothing tells how sure it is. */
function isAtEndOfScale({ bases, metrics }: Standing, metric: MetricName): boolean {
  return metric === 'snr' && metrics.snr !== null && bases.all.input === 0;
}
