/** What an operator's page says in words. */
import { CLASS_BEGINS, CLASS_TIERS } from '#core/domain/metrics/class-tier.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { ClassTier, UnrankedReason } from '#core/schema/board.ts';
import type {
  Cascade,
  MetricStanding,
  OperatorStanding,
  OtherUsage,
} from '#core/schema/operator.ts';
import type { PeerGroups } from '#core/schema/peer.ts';
import type { MetricName } from '#core/schema/record.ts';
import { count, exactText, metricText, whole } from '../text/format.ts';
import type { OperatorSheet } from './operator-sheet.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '../text/words.ts';

/**
 * The yields that a class is of.
 *
 * @example `from 1,000, below 10,000`
 */
export function classRange(tier: Exclude<ClassTier, 'unclassed'>): string {
  const at = CLASS_TIERS.indexOf(tier);
  const [begin = 0, end = null] = [CLASS_BEGINS[at], CLASS_BEGINS[at + 1]];
  if (end === null) return `from ${exactText(begin)} on`;
  return at === 0 ? `below ${exactText(end)}` : `from ${exactText(begin)}, below ${exactText(end)}`;
}

/** The share of ranked operators strictly below, rounded down so that it never says too much; null where that says nothing. */
export function percentileText({ percentile, total }: MetricStanding): string | null {
  // A hundredth of a share is not exact: 0.29 times 100 is less than 29.
  const percent = Math.floor((percentile ?? 0) * 100 + 1e-9);
  return percent === 0
    ? null
    : `better than ${whole(percent)}\u00a0% of ${count(total, 'ranked operator')}`;
}

/** A page's description: a sentence with the number that it opens with. */
export function operatorDescription({
  codename,
  standing,
  view,
}: Pick<OperatorSheet, 'codename' | 'standing' | 'view'>): string {
  const { phrase } = WINDOW_WORDS[view.window];
  if (standing === null) return `${codename}: no tokens that count, ${phrase}.`;
  const { value, rank, total } = standing.metrics.yield;
  const number = value === null ? 'no yield' : `yield ${metricText('yield', value)}`;
  const place = rank === null ? 'not ranked' : `rank ${whole(rank)} of ${whole(total)}`;
  return `${codename}: ${number}, ${phrase}; ${place}.`;
}

type Measured = Pick<MetricStanding, 'interval' | 'value'>;

/**
 * What two operators' intervals tell of which value is higher.
 *
 * @returns `first` or `second` for the higher one; null where an interval is undefined.
 */
export function higherOf(first: Measured, second: Measured): 'first' | 'overlap' | 'second' | null {
  if (first.interval === null || second.interval === null) return null;
  if (isAbove(first.interval, second.interval)) return 'first';
  if (isAbove(second.interval, first.interval)) return 'second';
  return 'overlap';
}

function isAbove(
  [low]: readonly [number, number | null],
  [, high]: readonly [number, number | null],
): boolean {
  return high !== null && low > high;
}

/** What the data of two operators tell by one metric, as a sentence. */
export function besideText(
  metric: MetricName,
  names: readonly [first: string, second: string],
  measured: readonly [first: Measured, second: Measured],
): string {
  const { name } = METRIC_WORDS[metric];
  switch (higherOf(...measured)) {
    case 'first':
      return `${names[0]} has the higher ${name}.`;
    case 'second':
      return `${names[1]} has the higher ${name}.`;
    case 'overlap':
      return 'The intervals overlap: these data cannot tell the two apart.';
    case null:
      return `Without an interval on both sides, ${name} cannot be compared.`;
  }
}

/** What stands in the way of a rank: without a value nothing else can be missing. */
export function decisiveReasons(reasons: readonly UnrankedReason[]): readonly UnrankedReason[] {
  const undefinedFor = reasons.filter(({ code }) => code === 'metric_undefined');
  return undefinedFor.length > 0 ? undefinedFor : reasons;
}

/** What can be missing of one metric and not of another, the graver first. */
const OF_ONE_METRIC = ['metric_undefined', 'interval_undefined', 'coverage_low'] as const;

/** Why a metric has no rank, where that is a matter of this metric. */
export function reasonOfMetric(reasons: readonly UnrankedReason[]): UnrankedReason | null {
  const [found = null] = OF_ONE_METRIC.flatMap((code) => {
    return reasons.find((each) => each.code === code) ?? [];
  });
  return found;
}

export function peersWithReasons({ mentors, same_tier, complementary }: PeerGroups) {
  const weaker = METRIC_WORDS[complementary.weakness?.metric ?? 'leverage'].name;
  const found = [
    ...mentors.entries.map((peer) => {
      const above = count(peer.classes_above, 'class', 'classes');
      return { peer, why: `${above} above, alike otherwise` };
    }),
    ...same_tier.entries.map((peer) => ({ peer, why: 'same class, similar shares of tokens' })),
    ...complementary.entries.map((peer) => {
      return { peer, why: `strong in ${weaker}, the weaker side here` };
    }),
  ];
  const byName = groupBy(found, ({ peer }) => peer.codename);
  return [...byName.values()].flatMap((same) => {
    const why = same.map((each) => each.why).join('; ');
    return same.slice(0, 1).map(({ peer }) => ({ peer, why }));
  });
}

/** The row that adds up the models that are not listed. */
export function othersText({ pairs }: Pick<OtherUsage, 'pairs'>): string {
  if (pairs === null) return 'All other models';
  return pairs === 1 ? '1 other model' : `${pairs} other models`;
}

/** What the stages of the cascade are computed from, and which leverage they multiply to. */
export function cascadeText(
  { transmission, commitment, reuse }: Cascade,
  { metrics, tools }: Pick<OperatorStanding, 'metrics' | 'tools'>,
): string {
  const used = tools ?? [];
  const ofBoth = used.filter(
    ({ totals }) => totals.cache_write !== null && totals.cache_read !== null,
  );
  const others = used.filter(
    ({ totals }) => totals.cache_write === null || totals.cache_read === null,
  );
  const names = namesText(ofBoth.map(({ tool }) => tool));
  const basis = `Over the tokens of ${names}, which report both cache counts.`;
  if (transmission === null || commitment === null || reuse === null) return basis;
  const product = metricText('leverage', transmission * commitment * reuse);
  const whole = `${basis} Multiplied, the three give the leverage of these tokens, ${product}.`;
  const { value } = metrics.leverage;
  if (others.length === 0 || value === null) return whole;
  return `${whole} Leverage over all tools shown here, ${namesText(others.map(({ tool }) => tool))} included, is ${metricText('leverage', value)}.`;
}

/** How many names a sentence holds. */
const SHOWN_NAMES = 4;

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${whole(left)} more` : shown.join(', ');
}
