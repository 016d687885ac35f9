/** What a plausibility check says of an account's days. */
import type { CheckId, Verdict } from '#core/schema/moderation.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { significant } from '../metrics/metrics.ts';

/** What an operator's counting buckets of one day and tool add up to. */
export interface ToolDay extends Pillars {
  day: string;
  tool: string;
  /** Whether it is to be judged, or only to be compared with. */
  isNew: boolean;
  /** What of it lies in buckets that report no cache reads, which yield and leverage leave out. */
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

/** What a check found, as its most striking day shows it. */
export interface Finding {
  check: CheckId;
  verdict: Verdict;
  /** To 12 significant digits. */
  statistic: number;
  threshold: number;
  /** Days, or days with a tool, that were looked at. */
  n: number;
  /** Empty for all tools together. */
  tool: string;
  /** Of each day that it concerns, the amount that it was judged by. */
  days: Readonly<Record<string, number>>;
}

/** A day that a check dislikes. */
export interface Suspect {
  day: string;
  verdict: Verdict;
  statistic: number;
  threshold: number;
  amount: number;
}

/** What is above one of two thresholds; null if it is above none. */
export function verdictAbove(
  value: number,
  thresholds: Readonly<Record<Verdict, number>>,
): Verdict | null {
  if (value > thresholds.hold) return 'hold';
  return value > thresholds.note ? 'note' : null;
}

const isMore = (a: number, b: number): boolean => a > b;

/** One finding about all suspects of the graver verdict; null if there are none. */
export function findingAbout(
  about: Pick<Finding, 'check' | 'n' | 'tool'>,
  suspects: readonly Suspect[],
  isWorse = isMore,
): Finding | null {
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

/** How much more a day may hold than what a keeper let pass, before it is held again. */
const RELEASED_GROWTH = 1.1;

/**
 * What is left of a finding after a keeper let its days pass: it holds no more for what has grown by no
 * more than a tenth since.
 *
 * @param released The amounts that were let pass, by day.
 */
export function afterRelease(
  finding: Finding,
  released: Readonly<Record<string, number>>,
): Finding {
  if (finding.verdict === 'note') return finding;
  const grown = Object.entries(finding.days).filter(
    ([day, amount]) => amount > RELEASED_GROWTH * (released[day] ?? 0),
  );
  if (grown.length === 0) return { ...finding, verdict: 'note' };
  return { ...finding, days: Object.fromEntries(grown) };
}
