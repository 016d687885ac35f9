/** What windows and metrics are called on pages, and what the metrics mean. */
import { recordMetrics } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { METRIC_LABELS } from '../../charts/labels.ts';
import { capitalised, metricText, whole } from './format.ts';

export const WINDOW_WORDS: Readonly<Record<WindowName, { label: string; phrase: string }>> = {
  '7d': { label: '7 days', phrase: 'last 7 days' },
  '30d': { label: '30 days', phrase: 'last 30 days' },
  '90d': { label: '90 days', phrase: 'last 90 days' },
  all_time: { label: 'All time', phrase: 'all time' },
};

interface MetricWords {
  label: string;
  name: string;
  formula: string;
  meaning: string;
  /** What the number cannot tell, or how it hangs together with the others. */
  caution: string;
  example: string;
}

/** The counts of the worked example. */
export const EXAMPLE = {
  input: 1_251_211,
  output: 11_296_121,
  cache_write: 128_196_310,
  cache_read: 2_555_179_769,
} satisfies Pillars;

const I = whole(EXAMPLE.input);
const O = whole(EXAMPLE.output);
const R = whole(EXAMPLE.cache_read);
const results = recordMetrics(EXAMPLE);
const result = (metric: MetricName) => metricText(metric, results[metric]);

export const METRIC_WORDS: Readonly<Record<MetricName, MetricWords>> = {
  yield: {
    label: METRIC_LABELS.yield,
    name: 'yield',
    formula: '(cache read × output) ÷ input²',
    meaning:
      'How much is made of each fresh input token: the context that is read again from the cache for it, times the output that is written for it. It is leverage times velocity.',
    caution: 'It tells how tokens were used, not whether the work was any good.',
    example: `(${R} × ${O}) ÷ ${I}² = ${result('yield')}`,
  },
  leverage: {
    label: METRIC_LABELS.leverage,
    name: 'leverage',
    formula: 'cache read ÷ input',
    meaning: 'How many tokens are read again from the cache for each fresh input token.',
    caution: 'Long sessions over the same files raise it, whatever comes out of them.',
    example: `${R} ÷ ${I} = ${result('leverage')}`,
  },
  velocity: {
    label: METRIC_LABELS.velocity,
    name: 'velocity',
    formula: 'output ÷ input',
    meaning: 'How many tokens are written for each fresh input token.',
    caution: 'Long answers raise it as well as good ones.',
    example: `${O} ÷ ${I} = ${result('velocity')}`,
  },
  snr: {
    label: METRIC_LABELS.snr,
    name: 'SNR',
    formula: 'output ÷ (input + output)',
    meaning: 'The share of output among all tokens that are fresh: between 0 and 1.',
    caution: 'It is velocity in other clothes, v ÷ (1 + v), and ranks the same.',
    example: `${O} ÷ (${I} + ${O}) = ${result('snr')}`,
  },
  dev10x: {
    label: METRIC_LABELS.dev10x,
    name: 'dev10x',
    formula: 'log₁₀(cache read ÷ input)',
    meaning: 'Leverage in powers of ten: 2 is a hundredfold, 3 a thousandfold.',
    caution: 'It needs cache writes to be reported; otherwise it ranks as leverage does.',
    example: `log₁₀(${R} ÷ ${I}) = ${result('dev10x')}`,
  },
};

/** @example `Last 30 days, all tools together` */
export function boardText({ window, tool }: { window: WindowName; tool: string | null }): string {
  return `${capitalised(WINDOW_WORDS[window].phrase)}, ${tool ?? 'all tools together'}`;
}

/** A board's title: a sentence that says what is ranked, by what, and over which time. */
export function boardTitle({ window, metric }: { window: WindowName; metric: MetricName }): string {
  return `Operators by ${METRIC_WORDS[metric].name}, ${WINDOW_WORDS[window].phrase}`;
}
