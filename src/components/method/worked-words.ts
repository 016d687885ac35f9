/** The example of an interval as the ranking page shows it. */
import { PILLAR_LABELS as LABELS } from '../../charts/labels.ts';
import { fixed, metricText, whole } from '../text/format.ts';
import { workedByDays, workedByWeeks } from './worked-examples.ts';

interface Worked {
  head: string[];
  rows: string[][];
  /** The steps to the interval, in a paragraph. */
  text: string;
}

const COUNTS = ['Day', LABELS.input, LABELS.output, LABELS.cache_read];

/** The example by a version of the ranking rules. */
export function workedInterval(version: number): Worked {
  return version === 1 ? byDays() : byWeeks();
}

function byDays(): Worked {
  const { days, n, value, error, quantile, low, high } = workedByDays();
  return {
    head: [...COUNTS, 'Yield without this day'],
    rows: days.map((day, at) => [...countsOf(day, at), yieldText(day.without)]),
    text: `${valueText(value)} The logarithms in the last column have a standard error of ${fixed(error, 4)}, and t(0.975, ${n - 1}) is ${fixed(quantile, 4)}. The interval is ${yieldText(low)} to ${yieldText(high)}, so this operator is ranked by ${yieldText(low)}.`,
  };
}

function byWeeks(): Worked {
  const { days, value, concentration, spread, freedom, quantile, low, high, conservative } =
    workedByWeeks();
  return {
    head: [...COUNTS, 'Share A, %', 'Influence U, %'],
    rows: days.map((day, at) => {
      return [...countsOf(day, at), ...[day.share, day.influence].map((of) => fixed(100 * of, 1))];
    }),
    text: `${valueText(value)} H is ${fixed(concentration, 4)}, so these days count as ${fixed(1 / concentration, 1)} effective days. The weeks add ν = ${fixed(freedom - 4, 2)}, s is ${fixed(spread, 4)}, and t(0.975, ${fixed(freedom, 2)}) is ${fixed(quantile, 4)}. The interval is ${yieldText(low)} to ${yieldText(high)}, and this operator is ranked by ${yieldText(conservative)}.`,
  };
}

function valueText(value: number): string {
  return `Together, these days have a yield of ${yieldText(value)}, whose logarithm is ${fixed(Math.log(value), 4)}.`;
}

function yieldText(value: number): string {
  return metricText('yield', value);
}

/** The day's number and its counts in thousands. */
function countsOf(
  { input, output, cache_read }: { input: number; output: number; cache_read: number | null },
  at: number,
): string[] {
  return [at + 1, input / 1000, output / 1000, (cache_read ?? 0) / 1000].map(whole);
}
