import { describe, expect, test } from 'vitest';
import { computeMetrics } from '#core/domain/metrics/compute-metrics.ts';

const FULL = { input: 1_000, output: 2_000, cache_write: 4_000, cache_read: 10_000 };
const BLIND = { input: 3_000, output: 1_000, cache_write: null, cache_read: null };

describe('computeMetrics()', () => {
  test('of one record equal those of an Operator Record and of a board', () => {
    const { records, together } = computeMetrics([FULL]);

    expect(records).toEqual([
      { metrics: { yield: 20, leverage: 10, velocity: 2, snr: 0.6667, dev10x: 1 }, warnings: [] },
    ]);
    expect(together).toEqual({
      totals: { ...FULL, total: 17_000 },
      metrics: { yield: 20, leverage: 10, velocity: 2, snr: 0.666666666667, dev10x: 1 },
      warnings: [],
      cascade: { transmission: 2, commitment: 2, reuse: 2.5 },
      shape: {
        input: 0.0588235294118,
        output: 0.117647058824,
        cache_write: 0.235294117647,
        cache_read: 0.588235294118,
      },
    });
  });

  test('compute each metric over the records that report what it needs', () => {
    const { records, together } = computeMetrics([FULL, BLIND]);

    expect(records[1]).toEqual({
      metrics: { yield: null, leverage: null, velocity: 0.333, snr: 0.25, dev10x: null },
      warnings: [
        'cache_read_unavailable',
        'cache_write_unavailable',
        'yield_undefined: requires cache_read reported',
        'leverage_undefined: requires cache_read reported',
        'dev10x_undefined: requires cache_write > 0 and cache_read > 0',
      ],
    });
    expect(together.metrics).toMatchObject({ yield: 20, leverage: 10, velocity: 0.75, dev10x: 1 });
    expect(together.warnings).toEqual([]);
  });

  test('explain a null if no single record reports everything it needs', () => {
    const reads = { ...FULL, cache_write: null };
    const writes = { ...FULL, cache_read: null };

    expect(computeMetrics([BLIND]).together.warnings).toEqual([
      'yield_undefined: requires cache_read reported',
      'leverage_undefined: requires cache_read reported',
      'dev10x_undefined: requires cache_write > 0 and cache_read > 0',
    ]);
    const { together } = computeMetrics([reads, writes]);
    expect(together.metrics.dev10x).toBeNull();
    expect(together.warnings).toEqual(['dev10x_undefined: requires cache_write > 0']);
  });

  test('are null without tokens, and throw above the limit', () => {
    const nothing = computeMetrics([{ input: 0, output: 0, cache_write: null, cache_read: null }]);
    const huge = { ...FULL, output: Number.MAX_SAFE_INTEGER };

    expect(nothing.together).toMatchObject({ shape: null, metrics: { snr: null } });
    expect(nothing.together.warnings).toContain('snr_undefined: requires input + output > 0');
    expect(() => computeMetrics([huge])).toThrow('2^53-1');
  });
});
