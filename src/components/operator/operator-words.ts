/** Texts of an operator's page. */
import { CLASS_BEGINS, CLASS_TIERS } from '#core/domain/metrics/class-tier.ts';
import { wholePercent } from '#core/domain/text/figure.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { ClassTier, UnrankedReason } from '#core/schema/board.ts';
import type {
  Cascade,
  MetricStanding,
  OperatorStanding,
  OtherUsage,
} from '#core/schema/operator.ts';
import type { PeerGroups } from '#core/schema/peer.ts';
import { count, exactText, metricText, whole } from '../text/format.ts';
import type { OperatorSheet } from './operator-sheet.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '../text/words.ts';

/**
 * The yields of a class.
 *
 * @example `of at least 1,000 and below 10,000`
 */
export function classRange(tier: Exclude<ClassTier, 'unclassed'>): string {
  const at = CLASS_TIERS.indexOf(tier);
  const [begin = 0, end = null] = [CLASS_BEGINS[at], CLASS_BEGINS[at + 1]];
  if (end === null) return `of at least ${exactText(begin)}`;
  return at === 0
    ? `below ${exactText(end)}`
    : `of at least ${exactText(begin)} and below ${exactText(end)}`;
}

/** The share of ranked operators strictly below, rounded down; null if it rounds to 0. */
export function percentileText({ percentile, total }: MetricStanding): string | null {
  const percent = wholePercent(percentile ?? 0);
  return percent === 0 ? null : `ahead of ${whole(percent)}% of ${count(total, 'ranked operator')}`;
}

/** The description of the page, with its first number. */
export function operatorDescription({
  codename,
  standing,
  view,
}: Pick<OperatorSheet, 'codename' | 'standing' | 'view'>): string {
  const { phrase } = WINDOW_WORDS[view.window];
  if (standing === null) return `${codename}: no counted tokens, ${phrase}.`;
  const { value, rank, total } = standing.metrics.yield;
  const number = value === null ? 'no yield' : `yield ${metricText('yield', value)}`;
  const place = rank === null ? 'not ranked' : `rank ${whole(rank)} of ${whole(total)}`;
  return `${codename}: ${number}, ${phrase}; ${place}.`;
}

/** The reasons for a missing rank; if the metric is undefined, only that. */
export function decisiveReasons(reasons: readonly UnrankedReason[]): readonly UnrankedReason[] {
  const undefinedFor = reasons.filter(({ code }) => code === 'metric_undefined');
  return undefinedFor.length > 0 ? undefinedFor : reasons;
}

/** Reasons that apply to a single metric, the most serious first. */
const OF_ONE_METRIC = ['metric_undefined', 'interval_undefined', 'coverage_low'] as const;

/** The reason for a missing rank that is specific to this metric; null if there is none. */
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
      return { peer, why: `${above} above, similar use` };
    }),
    ...same_tier.entries.map((peer) => ({ peer, why: 'same class, similar mix of token types' })),
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

/** The label of the row for all unlisted models. */
export function othersText({ pairs }: Pick<OtherUsage, 'pairs'>): string {
  if (pairs === null) return 'All other models';
  return pairs === 1 ? '1 other model' : `${pairs} other models`;
}

interface CascadeOf extends Pick<OperatorStanding, 'tools'> {
  metrics: { leverage: Pick<MetricStanding, 'value'> };
}

/** The tools behind the three stages, and the leverage that the stages multiply to. */
export function cascadeText(
  { transmission, commitment, reuse }: Cascade,
  { metrics, tools }: CascadeOf,
): string {
  const used = tools ?? [];
  const ofBoth = used.filter(
    ({ totals }) => totals.cache_write !== null && totals.cache_read !== null,
  );
  const others = used.filter(
    ({ totals }) => totals.cache_write === null || totals.cache_read === null,
  );
  const names = namesText(ofBoth.map(({ tool }) => tool));
  const basis = `Only tools that report cache writes and cache reads: ${names}.`;
  if (transmission === null || commitment === null || reuse === null) return basis;
  const product = metricText('leverage', transmission * commitment * reuse);
  const whole = `${basis} The product of the three is the leverage of these tools, ${product}.`;
  const { value } = metrics.leverage;
  if (others.length === 0 || value === null) return whole;
  return `${whole} Leverage over all tools on this page, including ${namesText(others.map(({ tool }) => tool))}, is ${metricText('leverage', value)}.`;
}

/** The most names in a sentence. */
const SHOWN_NAMES = 4;

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES);
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${whole(left)} more` : shown.join(', ');
}
