/** What an operator lacks to be ranked, in words with both numbers: the same on pages and in answers. */
import type { UnrankedReason } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { figure } from '../text/figure.ts';

type WithoutText = Omit<UnrankedReason, 'detail'>;

const NEEDS: Readonly<Record<MetricName, string>> = {
  yield: 'yield needs fresh input and a tool that reports cache reads',
  leverage: 'leverage needs fresh input and a tool that reports cache reads',
  velocity: 'velocity needs fresh input',
  snr: 'SNR needs input or output',
  dev10x: 'dev10x needs input, output, cache writes and cache reads, all above 0',
};

const COVERED: Readonly<Record<MetricName, string>> = {
  yield: 'reports cache reads',
  leverage: 'reports cache reads',
  velocity: 'counts',
  snr: 'counts',
  dev10x: 'reports cache reads and writes',
};

type Words = (has: number, need: number, metric: MetricName) => string;

const WORDS: Readonly<Record<UnrankedReason['code'], Words>> = {
  active_days_low: (has, need) =>
    `${figure(has)} of ${figure(need)} active ${need === 1 ? 'day' : 'days'}`,
  effective_days_low: (has, need) => `${figure(floorTenth(has))} of ${figure(need)} effective days`,
  total_low: (has, need) => `${figure(has)} of ${figure(need)} tokens`,
  output_low: (has, need) => `${figure(has)} of ${figure(need)} output tokens`,
  coverage_low: (has, need, metric) =>
    `${Math.floor(has * 100)}% of the output ${COVERED[metric]}, ${figure(100 * need)}% needed`,
  metric_undefined: (_has, _need, metric) => NEEDS[metric],
  interval_undefined: () => 'fresh input, without which the value is at the end of its scale',
  hidden: () => 'the keeper hides you, so nobody else sees this',
  private: () => 'you are private, so nobody else sees this',
};

/** Rounded down, so that what is missing never looks complete. */
function floorTenth(value: number): number {
  return Math.floor(value * 10) / 10;
}

/**
 * A reason why an operator is not ranked by a metric.
 *
 * @example `3 of 7 active days`
 */
export function unrankedReason(reason: WithoutText, metric: MetricName): UnrankedReason {
  const { code, required, actual } = reason;
  return { ...reason, detail: WORDS[code](Number(actual), Number(required), metric) };
}
