/** Texts of the operator page. */
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
 * The conservative yields of a class.
 *
 * @example `from 1,000 to below 10,000`
 */
export function classRange(tier: Exclude<ClassTier, 'unclassed'>): string {
  const at = CLASS_TIERS.indexOf(tier);
  const [begin = 0, end = null] = [CLASS_BEGINS[at], CLASS_BEGINS[at + 1]];
  if (end === null) return `of at least ${exactText(begin)}`;
  return at === 0
    ? `below ${exactText(end)}`
    : `from ${exactText(begin)} to below ${exactText(end)}`;
}

/** The share of ranked operators strictly below, rounded down so that it is never overstated. Returns null if it rounds to zero. */
export function percentileText({ percentile, total }: MetricStanding): string | null {
  // A hundredth of a share is not exact: 0.29 times 100 is less than 29.
  const percent = Math.floor((percentile ?? 0) * 100 + 1e-9);
  return percent === 0 ? null : `ahead of ${whole(percent)}% of ${count(total, 'ranked operator')}`;
}

/** The description of an operator page: its headline number as a sentence. */
export function operatorDescription({
  codename,
  standing,
  view,
}: Pick<OperatorSheet, 'codename' | 'standing' | 'view'>): string {
  const { phrase } = WINDOW_WORDS[view.window];
  if (standing === null) return `${codename}: no ranked tokens, ${phrase}.`;
  const { value, rank, total } = standing.metrics.yield;
  const number = value === null ? 'no yield' : `yield ${metricText('yield', value)}`;
  const place = rank === null ? 'not ranked' : `rank ${whole(rank)} of ${whole(total)}`;
  return `${codename}: ${number}, ${phrase}, ${place}.`;
}

/**
 * What an operator's yield means, by its two factors; null without a value.
 *
 * @example `Yield 183 means: each new input token came with 71 tokens reused from cache and 2.6 tokens written.`
 */
export function yieldText({ metrics }: Pick<OperatorStanding, 'metrics'>): string | null {
  const { leverage, velocity } = metrics;
  const { value } = metrics.yield;
  if (value === null || leverage.value === null || velocity.value === null) return null;
  const reused = metricText('leverage', leverage.value);
  const written = metricText('velocity', velocity.value);
  return `Yield ${metricText('yield', value)} means: each new input token came with ${reused} tokens reused from cache and ${written} tokens written.`;
}

type Measured = Pick<MetricStanding, 'interval' | 'value'>;

/**
 * Which of two operators has the higher value, judged by their intervals.
 *
 * @returns `first` or `second` if the intervals do not overlap; null if an interval is undefined.
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

/** The comparison of two operators by one metric, as a sentence. */
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
      return 'The intervals overlap, so the data does not show who is higher.';
    case null:
      return `At least one interval is undefined, so ${name} cannot be compared.`;
  }
}

/** The reasons for a missing rank. Without a value, only that reason matters. */
export function decisiveReasons(reasons: readonly UnrankedReason[]): readonly UnrankedReason[] {
  const undefinedFor = reasons.filter(({ code }) => code === 'metric_undefined');
  return undefinedFor.length > 0 ? undefinedFor : reasons;
}

/** Reasons that can apply to one metric and not to another, most important first. */
const OF_ONE_METRIC = ['metric_undefined', 'interval_undefined', 'coverage_low'] as const;

/** Why a metric has no rank, if the reason is specific to this metric. */
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
      return { peer, why: `${above} above, with a similar balance of tokens` };
    }),
    ...same_tier.entries.map((peer) => ({
      peer,
      why: 'same class, with a similar balance of tokens',
    })),
    ...complementary.entries.map((peer) => {
      return { peer, why: `stronger in ${weaker}, this operator’s weaker metric` };
    }),
  ];
  const byName = groupBy(found, ({ peer }) => peer.codename);
  return [...byName.values()].flatMap((same) => {
    const why = same.map((each) => each.why).join('; ');
    return same.slice(0, 1).map(({ peer }) => ({ peer, why }));
  });
}

/** The label of the row that sums up unlisted models. */
export function othersText({ pairs }: Pick<OtherUsage, 'pairs'>): string {
  if (pairs === null) return 'All other models';
  return pairs === 1 ? '1 other model' : `${pairs} other models`;
}

/** Which tools the stages between token types include, and the leverage they multiply to. */
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
  const basis = `Only tools that report both cache counts are included: ${names}.`;
  if (transmission === null || commitment === null || reuse === null) return basis;
  const product = metricText('leverage', transmission * commitment * reuse);
  const whole = `${basis} The product of the three is their leverage, ${product}.`;
  const { value } = metrics.leverage;
  if (others.length === 0 || value === null) return whole;
  return `${whole} With ${namesText(others.map(({ tool }) => tool))}, leverage is ${metricText('leverage', value)}.`;
}

/** The most names in a sentence. */
const SHOWN_NAMES = 4;

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${whole(left)} more` : shown.join(', ');
}
