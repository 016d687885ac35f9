import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';

export const METRIC_LABELS: Readonly<Record<MetricName, string>> = {
  yield: 'Yield',
  leverage: 'Leverage',
  velocity: 'Velocity',
  snr: 'SNR',
  dev10x: 'Dev10x',
};

/** The four token types in the order in which tokens flow. */
export const PILLARS = [
  'input',
  'output',
  'cache_write',
  'cache_read',
] as const satisfies readonly (keyof Pillars)[];

export const PILLAR_LABELS: Readonly<Record<keyof Pillars, string>> = {
  input: 'Fresh input',
  output: 'Output',
  cache_write: 'Cache write',
  cache_read: 'Cache read',
};
