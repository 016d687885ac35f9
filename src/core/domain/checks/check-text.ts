/** The findings of plausibility checks in words. */
import type { CheckId, Verdict } from '#core/schema/moderation.ts';

/** A finding for display. */
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

/** What the sentences contain: numbers as texts, `share` and `least` in percent. */
interface Figures extends Record<'least' | 'limit' | 'share' | 'tool' | 'value' | 'when', string> {
  n: number;
}

const SENTENCES: Readonly<Record<CheckId, (of: Figures) => string>> = {
  output_rate: ({ when, value, limit }) =>
    `On ${when}, the account reports ${value} output tokens in a day, more than ${limit}.`,
  day_outlier: ({ when, tool, value, n, limit }) =>
    `On ${when}, the ${tool === '' ? 'token total' : `yield with ${tool}`} is ${value} robust standard deviations above what is usual, both for the ${n} days of the account and for other operators. The limit is ${limit}.`,
  equal_vectors: ({ when, share, n, least }) =>
    `The counts of ${when} equal, within 1% in input, output and cache reads, what another account submitted earlier. This is the case on ${share}% of the ${n} days that both accounts have. At ${least}% or more, the later submission is put on hold.`,
  reads_without_writes: ({ when, tool, value, limit }) =>
    `On ${when}, ${tool} reports ${value} tokens read from a cache and none written to it. A note is added at ${limit} or more.`,
  reads_per_write: ({ when, tool, value, limit }) =>
    `On ${when}, ${tool} reports ${value} times the cache reads that its cache writes and its requests allow. A note is added above ${limit}.`,
  input_share: ({ when, tool, value, limit }) =>
    `On ${when}, ${tool} used ${value} tokens of fresh input per request, for the smallest possible number of requests. The minimum is ${limit}.`,
  hidden_input: ({ when, tool, share, least }) =>
    `On ${when}, ${share}% of the fresh input with ${tool} is in rows that report no cache reads and hardly any output. Yield would leave it out. The limit is ${least}%.`,
  repeated_days: ({ when, share, least }) =>
    `On ${when}, input, output and cache reads are the same as on other days, or all the same multiple. Such days have ${share}% of the tokens around them. The limit is ${least}%.`,
  round_counts: ({ when, tool, value, limit }) =>
    `On ${when}, ${value} counts with ${tool} are multiples of 100, but not on most other days. The limit is ${limit}.`,
  round_series: ({ when, tool, value, limit }) =>
    `On ${when}, the output or the cache reads with ${tool} are a multiple of ${value} every day. The limit is ${limit}.`,
};

const FIGURES = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });

/** A finding in a sentence, for the owner and the log. */
export function checkText({ check, statistic, threshold, n, tool, days }: FoundByCheck): string {
  return SENTENCES[check]({
    when: daysText(days),
    tool: tool ?? '',
    value: figure(statistic),
    limit: figure(threshold),
    share: figure(100 * statistic),
    least: figure(100 * threshold),
    n,
  });
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
