/** Names of windows and metrics on pages, and what the metrics mean. */
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
  /** What the number does not show, or how it relates to the others. */
  caution: string;
  example: string;
}

/** Counts of the worked example. */
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
      'How far each new input token goes: the number of tokens reused from cache for it, times the number of tokens written. Yield is leverage times velocity.',
    caution: 'It measures token use, not the quality of the work.',
    example: `(${R} × ${O}) ÷ ${I}² = ${result('yield')}`,
  },
  leverage: {
    label: METRIC_LABELS.leverage,
    name: 'leverage',
    formula: 'cache read ÷ input',
    meaning: 'How many tokens are reused from cache for each new input token.',
    caution: 'Long sessions over the same files raise it, whatever the result.',
    example: `${R} ÷ ${I} = ${result('leverage')}`,
  },
  velocity: {
    label: METRIC_LABELS.velocity,
    name: 'velocity',
    formula: 'output ÷ input',
    meaning: 'How many tokens are written for each new input token.',
    caution: 'Long answers raise it, whether they are good or not.',
    example: `${O} ÷ ${I} = ${result('velocity')}`,
  },
  snr: {
    label: METRIC_LABELS.snr,
    name: 'SNR',
    formula: 'output ÷ (input + output)',
    meaning: 'The share of output in the sum of fresh input and output, from 0 to 1.',
    caution: 'It is velocity on another scale, v ÷ (1 + v), and gives the same ranks.',
    example: `${O} ÷ (${I} + ${O}) = ${result('snr')}`,
  },
  dev10x: {
    label: METRIC_LABELS.dev10x,
    name: 'Dev10x',
    formula: 'log₁₀(cache read ÷ input)',
    meaning:
      'Leverage in powers of ten: 2 means 100 cached tokens per new input token, 3 means 1,000.',
    caution:
      'It requires a tool that reports cache writes, and otherwise gives the same ranks as leverage.',
    example: `log₁₀(${R} ÷ ${I}) = ${result('dev10x')}`,
  },
};

/** @example `Last 30 days, all tools` */
export function boardText({ window, tool }: { window: WindowName; tool: string | null }): string {
  return `${capitalised(WINDOW_WORDS[window].phrase)}, ${tool ?? 'all tools'}`;
}

/** A board's title: what ranks, and the period. */
export function boardTitle({ window, metric }: { window: WindowName; metric: MetricName }): string {
  return `Leaderboard by ${METRIC_WORDS[metric].name}, ${WINDOW_WORDS[window].phrase}`;
}
