/** The findings of plausibility checks about an account's days. */
import type { CheckId, Verdict } from '#core/schema/moderation.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { significant } from '../metrics/metrics.ts';

/** The sums of an operator's counting buckets of one day and tool. */
export interface ToolDay extends Pillars {
  day: string;
  tool: string;
  /** Whether to judge the day, or only to compare others with it. */
  isNew: boolean;
  /** The part in buckets that report no cache reads, which yield and leverage leave out. */
  silent: Pick<Pillars, 'input' | 'output'>;
}

/** The counts that a day's yield is computed over: only buckets that report cache reads, if any does. */
export function yieldCounts({
  input,
  output,
  cache_read,
  silent,
}: Pick<ToolDay, 'cache_read' | 'input' | 'output' | 'silent'>): YieldCounts {
  if (cache_read === null) return { input, output, cache_read };
  return { input: input - silent.input, output: output - silent.output, cache_read };
}

export type YieldCounts = Pick<Pillars, 'cache_read' | 'input' | 'output'>;

/** A finding of a check. The statistic is that of its most extreme day. */
export interface CheckFinding {
  check: CheckId;
  verdict: Verdict;
  /** To 12 significant digits. */
  statistic: number;
  threshold: number;
  /** The number of days, or days with a tool, that were examined. */
  n: number;
  /** Empty for all tools together. */
  tool: string;
  /** The amount by which each day was judged. */
  days: Readonly<Record<string, number>>;
}

/** A day that exceeds a threshold. */
export interface Suspect {
  day: string;
  verdict: Verdict;
  statistic: number;
  threshold: number;
  amount: number;
}

/** The higher of the thresholds that a value exceeds; null if it exceeds none. */
export function verdictAbove(
  value: number,
  thresholds: Readonly<Record<Verdict, number>>,
): Verdict | null {
  if (value > thresholds.hold) return 'hold';
  return value > thresholds.note ? 'note' : null;
}

const isMore = (a: number, b: number): boolean => a > b;

/** One finding about all suspects with the more severe verdict; null without suspects. */
export function findingAbout(
  about: Pick<CheckFinding, 'check' | 'n' | 'tool'>,
  suspects: readonly Suspect[],
  isWorse = isMore,
): CheckFinding | null {
  const held = suspects.filter(({ verdict }) => verdict === 'hold');
  const grave = held.length > 0 ? held : suspects;
  const [first, ...rest] = grave;
  if (!first) return null;
  const worst = rest.reduce((a, b) => (isWorse(b.statistic, a.statistic) ? b : a), first);
  return {
    ...about,
    verdict: worst.verdict,
    statistic: significant(worst.statistic),
    threshold: worst.threshold,
    days: Object.fromEntries(grave.map(({ day, amount }) => [day, amount])),
  };
}

/** How much a day may grow after an admin released it before it is put on hold again. */
const RELEASED_GROWTH = 1.1;

/**
 * A finding after an admin released some of its days. Days that have grown by at most a tenth since then are no
 * longer put on hold.
 *
 * @param released The released amounts by day.
 */
export function afterRelease(
  finding: CheckFinding,
  released: Readonly<Record<string, number>>,
): CheckFinding {
  if (finding.verdict === 'note') return finding;
  const grown = Object.entries(finding.days).filter(
    ([day, amount]) => amount > RELEASED_GROWTH * (released[day] ?? 0),
  );
  if (grown.length === 0) return { ...finding, verdict: 'note' };
  return { ...finding, days: Object.fromEntries(grown) };
}
