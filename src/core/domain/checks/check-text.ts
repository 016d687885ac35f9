import type { CheckId, Verdict } from '#core/schema/moderation.ts';

/** What a check found, as it is told. */
export interface FoundByCheck {
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
