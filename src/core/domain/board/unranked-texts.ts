/** What an operator still needs to be ranked, in words, with both numbers. Pages and the API use the same texts. */
import type { UnrankedReason } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { figure, wholePercent } from '../text/figure.ts';

type WithoutText = Omit<UnrankedReason, 'detail'>;

const NEEDS: Readonly<Record<MetricName, string>> = {
  yield: 'yield needs fresh input and a tool that reports cache reads',
  leverage: 'leverage needs fresh input and a tool that reports cache reads',
  velocity: 'velocity needs fresh input',
  snr: 'SNR needs input or output',
  dev10x: 'Dev10x needs input, output, cache writes and cache reads, all above 0',
};

const COVERED: Readonly<Record<MetricName, string>> = {
  yield: 'reports cache reads',
  leverage: 'reports cache reads',
  velocity: 'counts',
  snr: 'counts',
  dev10x: 'reports cache reads and writes',
};

/** What an interval needs where a defined value may have none. */
const INTERVAL_NEEDS: Readonly<Partial<Record<MetricName, string>>> = {
  snr: 'SNR needs fresh input to have an interval',
  dev10x: 'Dev10x needs fresh input, output, cache writes and cache reads on at least two days',
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
  stated_days_low: (has, need) =>
    `${wholePercent(has)}% of days stated, ${figure(100 * need)}% needed: update opbench and run it daily`,
  metric_undefined: (_has, _need, metric) => NEEDS[metric],
  interval_undefined: (_has, _need, metric) => {
    return INTERVAL_NEEDS[metric] ?? 'the value has no interval';
  },
  hidden: () => 'hidden by the admin, so only you see this',
  private: () => 'your privacy mode is private, so only you see this',
};

/** Rounded down, so that an unmet requirement never looks met. */
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
