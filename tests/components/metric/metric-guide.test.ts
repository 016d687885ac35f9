import { describe, expect, test } from 'vitest';
import {
  METRIC_NAMES,
  exactMetrics,
  metricWarnings,
  recordMetrics,
} from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { sensitivityOf, sensitivityText } from '#components/metric/metric-cases.ts';
import { METRIC_CASES } from '#components/metric/metric-cases.ts';
import { METRIC_GUIDE } from '#components/metric/metric-guide.ts';
import { EXAMPLE } from '#components/text/words.ts';

/** The value of a relation as the page writes it. */
function valueOf(relation: string): number {
  const values = exactMetrics(EXAMPLE);
  const signs = { '×': '*', '÷': '/', '−': '-', '^': '**', 'log₁₀': 'Math.log10' };
  let code = Object.entries(signs).reduce(
    (text, [sign, js]) => text.replaceAll(sign, js),
    relation,
  );
  for (const name of METRIC_NAMES) {
    code = code.replaceAll(new RegExp(`\\b${name}\\b`, 'gi'), String(values[name]));
  }
  return Number(new Function(`return ${code}`)());
}

describe('METRIC_GUIDE', () => {
  test.each(METRIC_NAMES)('the relations of %s are true', (metric) => {
    const { relations } = METRIC_GUIDE[metric];
    expect(relations.length).toBeGreaterThan(0);
    const ratios = relations.map(
      (relation) => valueOf(relation) / (exactMetrics(EXAMPLE)[metric] ?? 0),
    );
    ratios.forEach((ratio) => expect(ratio).toBeCloseTo(1, 9));
  });

  test('compares SNR values near 1 correctly', () => {
    const velocity = (snr: number) => snr / (1 - snr);
    expect(METRIC_GUIDE.snr.hides.join(' ')).toContain(
      '0.99 means eleven times the velocity of 0.9',
    );
    expect(velocity(0.99) / velocity(0.9)).toBeCloseTo(11, 6);
  });
});

describe('METRIC_CASES', () => {
  test('are the cases of the formulas', () => {
    const rows = METRIC_CASES.map((counts) => Object.values(recordMetrics(counts)));
    expect(rows).toEqual([
      [null, null, null, 1, null],
      [0, 3, 0, 0, null],
      [15, 3, 5, 0.8333, null],
      [0, 0, 5, 0.8333, null],
      [null, null, 5, 0.8333, null],
      [10.11, 4.3, 2.333, 0.7, 0.64],
    ]);
  });

  test('include a case for each requirement of a metric', () => {
    const unmet = new Set(METRIC_CASES.flatMap((counts) => metricWarnings(counts)));
    expect([...unmet].filter((line) => line.startsWith('dev10x')).join()).toMatch(
      /input > 0.*output > 0.*cache_write > 0.*cache_read > 0/s,
    );
  });
});

describe('sensitivityOf()', () => {
  const changes = (metric: MetricName) => sensitivityOf(metric).map(({ change }) => change);

  test('shows the effect of 10% more input, output, cache writes and cache reads', () => {
    expect(changes('yield')).toEqual(['−17.4%', '+10.0%', 'none', '+10.0%']);
    expect(changes('leverage')).toEqual(['−9.1%', 'none', 'none', '+10.0%']);
    expect(changes('velocity')).toEqual(['−9.1%', '+10.0%', 'none', 'none']);
    expect(changes('snr')).toEqual(['−0.0089', '+0.0082', 'none', 'none']);
    expect(changes('dev10x')).toEqual(['−0.04', 'none', 'none', '+0.04']);
  });

  test('says whether the table applies to other counts', () => {
    expect(sensitivityText('yield')).toContain('same proportion');
    expect(sensitivityText('dev10x')).toContain('same difference');
    expect(sensitivityText('snr')).toContain('largest when fresh input and output are equal');
  });
});
