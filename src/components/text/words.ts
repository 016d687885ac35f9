/** What pages call windows and metrics, and how they explain the metrics. */
import { recordMetrics } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { METRIC_LABELS } from '../../charts/labels.ts';
import { valueText } from '../../charts/numbers.ts';
import { capitalised, metricText, momentText, whole } from './format.ts';

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
  /** The meaning in a few words, without a full stop. */
  short: string;
  meaning: string;
  /** What the number does not show, or how it relates to the others. */
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
    formula: '(cache read × output) ÷ fresh input²',
    short: 'how far each fresh input token goes',
    meaning:
      'Yield shows how far each fresh input token goes. It is leverage (tokens reused from the cache for each fresh input token) times velocity (tokens written for each fresh input token).',
    caution: 'Yield measures how tokens were used, not whether the work was any good.',
    example: `(${R} × ${O}) ÷ ${I}² = ${result('yield')}`,
  },
  leverage: {
    label: METRIC_LABELS.leverage,
    name: 'leverage',
    formula: 'cache read ÷ fresh input',
    short: 'tokens reused from the cache for each fresh input token',
    meaning: 'Leverage shows how many tokens are reused from the cache for each fresh input token.',
    caution: 'Long sessions over the same files raise it, whether or not the results are useful.',
    example: `${R} ÷ ${I} = ${result('leverage')}`,
  },
  velocity: {
    label: METRIC_LABELS.velocity,
    name: 'velocity',
    formula: 'output ÷ fresh input',
    short: 'tokens written for each fresh input token',
    meaning: 'Velocity shows how many tokens the model writes for each fresh input token.',
    caution: 'Long answers raise it, whether or not they are good.',
    example: `${O} ÷ ${I} = ${result('velocity')}`,
  },
  snr: {
    label: METRIC_LABELS.snr,
    name: 'SNR',
    formula: 'output ÷ (fresh input + output)',
    short: 'velocity on a scale from 0 to 1',
    meaning: 'SNR is output as a share of fresh input plus output, between 0 and 1.',
    caution:
      'It is velocity v on another scale, v ÷ (1 + v), so it ranks operators in the same order.',
    example: `${O} ÷ (${I} + ${O}) = ${result('snr')}`,
  },
  dev10x: {
    label: METRIC_LABELS.dev10x,
    name: 'Dev10x',
    formula: 'log₁₀(cache read ÷ fresh input)',
    short: 'leverage in powers of ten',
    meaning:
      'Dev10x is leverage in powers of ten: 2 means 100 cached tokens for each fresh input token, 3 means 1,000.',
    caution:
      'It ranks operators in the same order as leverage, but only those whose tools also report cache writes.',
    example: `log₁₀(${R} ÷ ${I}) = ${result('dev10x')}`,
  },
};

/** @example `Last 30 days, all tools` */
export function boardText({ window, tool }: { window: WindowName; tool: string | null }): string {
  return `${capitalised(WINDOW_WORDS[window].phrase)}, ${tool ?? 'all tools'}`;
}

interface Terms {
  metric: MetricName;
  tool: string | null;
  first_day: string;
  last_day: string;
}

/** What a challenge ranks. @example `Ranked by leverage, all tools, 1 Mar 2027 to 14 Mar 2027` */
export function termsText({ metric, tool, first_day, last_day }: Terms): string {
  const days = `${momentText(first_day, 'date')} to ${momentText(last_day, 'date')}`;
  return `Ranked by ${METRIC_WORDS[metric].name}, ${tool ?? 'all tools'}, ${days}`;
}

/** The title of a board. @example `Yield leaderboard, last 30 days` */
export function boardTitle({ window, metric }: { window: WindowName; metric: MetricName }): string {
  return `${METRIC_WORDS[metric].label} leaderboard, ${WINDOW_WORDS[window].phrase}`;
}

interface YieldParts {
  yield: number | null;
  leverage: number | null;
  velocity: number | null;
}

/** How far the product of rounded or differently covered parts may be from the yield. */
const TOLERANCE = 0.02;

/**
 * What a yield means, in plain words; null if the parts are undefined or do not multiply to it.
 *
 * @example `Each fresh input token came with 71.2 tokens reused from the cache and 2.57 tokens written.`
 */
export function yieldText({ yield: value, leverage, velocity }: YieldParts): string | null {
  if (value === null || leverage === null || velocity === null || value === 0) return null;
  if (Math.abs((leverage * velocity) / value - 1) > TOLERANCE) return null;
  const reused = valueText('leverage', leverage);
  const written = valueText('velocity', velocity);
  return `Each fresh input token came with ${reused} tokens reused from the cache and ${written} tokens written.`;
}
