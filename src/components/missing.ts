/** What an operator lacks to be ranked, in words with both numbers. */
import type { UnrankedReason } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { count, exactText, fixed, percentText, whole } from './format.ts';

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

/** @example `3 of 7 active days` */
export function missingText(
  { code, required, actual }: UnrankedReason,
  metric: MetricName,
): string {
  const need = Number(required);
  const has = Number(actual);
  switch (code) {
    case 'active_days_low':
      return `${whole(has)} of ${count(need, 'active day')}`;
    case 'effective_days_low':
      return `${fixed(floorTenth(has), 1)} of ${exactText(need)} effective days`;
    case 'total_low':
      return `${whole(has)} of ${whole(need)} tokens`;
    case 'output_low':
      return `${whole(has)} of ${whole(need)} output tokens`;
    case 'coverage_low':
      return `${whole(Math.floor(has * 100))} % of the output ${COVERED[metric]}, ${percentText(need)} needed`;
    case 'metric_undefined':
      return NEEDS[metric];
    case 'interval_undefined':
      return 'fresh input, without which the value is at the end of its scale';
    case 'hidden':
      return 'the keeper hides you, so nobody else sees this';
    case 'private':
      return 'you are private, so nobody else sees this';
  }
}

/** Rounded down, so that what is missing never looks complete. */
function floorTenth(value: number): number {
  return Math.floor(value * 10) / 10;
}
