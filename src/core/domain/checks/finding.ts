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
export interface CheckFinding {
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

/** How much more a day may hold than what an admin let pass, before it is held again. */
const RELEASED_GROWTH = 1.1;

/**
 * What is left of a finding after an admin let its days pass: it holds no more for what has grown by no
 * more than a tenth since.
 *
 * @param released The amounts that were let pass, by day.
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

/** What a check found, as it is told. */
interface FoundByCheck {
  check: CheckId;
  verdict: Verdict;
  statistic: number;
  threshold: number;
  n: number;
  /** Null for all tools together. */
  tool: string | null;
  days: readonly string[];
}

const FIGURES = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** What a check found, in a sentence for the owner and the log. */
export function checkText(found: FoundByCheck): string {
  const when = daysText(found.days);
  const { statistic, threshold, n } = found;
  const tool = found.tool ?? '';
  const value = figure(statistic);
  const limit = figure(threshold);
  switch (found.check) {
    case 'output_rate':
      return `On ${when} the account states ${value} output tokens in a day, more than ${limit}.`;
    case 'day_outlier':
      return `On ${when} the ${tool === '' ? 'tokens' : `yield with ${tool}`} lie ${value} robust standard deviations above what is usual, of the account's own ${n} days and of other operators, more than ${limit}.`;
    case 'equal_vectors':
      return `The counts of ${when} equal, within 1% in input, output and cache reads, what another account had submitted before. That is so on ${figure(100 * statistic)}% of the ${n} days that both accounts have; from ${figure(100 * threshold)}% on, the later submission is put on hold.`;
    case 'reads_without_writes':
      return `On ${when} ${tool} states ${value} tokens read from a cache and none written to it; that is noted from ${limit} on.`;
    case 'input_share':
      return `On ${when} fresh input with ${tool} is ${value} tokens for each of the fewest requests that could read and write so much, less than ${limit}.`;
    case 'hidden_input':
      return `On ${when} ${figure(100 * statistic)} % of the fresh input with ${tool} is in rows that report no cache reads and hardly any output, more than ${figure(100 * threshold)} %: yield would leave it out.`;
  }
}

function daysText(days: readonly string[]): string {
  const [first = '', ...rest] = days;
  if (rest.length === 0) return first;
  return `${days.length} days from ${first} to ${rest.at(-1) ?? first}`;
}

function figure(value: number): string {
  if (value > 0 && value < 1e-3) return value.toExponential(2).replace(/\.?0*e/, 'e');
  return FIGURES.format(value);
}
