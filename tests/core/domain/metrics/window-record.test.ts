import { describe, expect, test } from 'vitest';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { composeWindowRecord } from '#core/domain/metrics/window-record.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import { NOW, aBucket } from '#tests/support/board/builders.ts';

const AT = { window: '7d', timestamp: NOW };

describe('composeWindowRecord()', () => {
  test('is the record of the bucket if there is only one', () => {
    const bucket = aBucket({ cache_write: null });

    const { telemetry, metrics, warnings, source } = composeRecord(bucket);
    expect(composeWindowRecord([bucket], AT)).toEqual({
      spec: 'rank/0.1-draft',
      timestamp: NOW,
      source,
      telemetry,
      metrics,
      warnings,
      context: { window: '7d' },
    });
  });

  test('adds up buckets, and keeps the names that they share', () => {
    const record = composeWindowRecord([aBucket(), aBucket({ model: 'other' })], AT);

    expect(OperatorRecord.parse(record)).toMatchObject({
      source: { provider: 'anthropic', model: 'mixed', tool: 'claude-code' },
      telemetry: { input: 2_200, output: 20_000, cache_write: 200_000, cache_read: 2_000_000 },
      metrics: { leverage: 909.1, velocity: 9.091 },
      warnings: [],
    });
  });

  test('computes a metric over the buckets that report what it needs', () => {
    const silent = aBucket({ tool: 'other', input: 8_900, output: 30_000, cache_read: null });
    const record = composeWindowRecord([aBucket(), { ...silent, cache_write: null }], AT);

    expect(record.telemetry).toMatchObject({ input: 10_000, cache_read: 1_000_000 });
    expect(record.metrics).toMatchObject({ leverage: 909.1, velocity: 4, dev10x: 2.96 });
    expect(record.warnings).toEqual([
      'yield_partial: cache_read reported for 25.0% of the output',
      'leverage_partial: cache_read reported for 25.0% of the output',
      'dev10x_partial: cache_read and cache_write reported for 25.0% of the output',
    ]);
  });

  test('leaves out a metric that no single bucket defines', () => {
    const reads = aBucket({ cache_write: null });
    const writes = aBucket({ model: 'other', cache_read: null });

    const { metrics, warnings } = composeWindowRecord([reads, writes], AT);

    expect(metrics.dev10x).toBeNull();
    expect(warnings).toContain('dev10x_undefined: requires cache_write > 0');
  });

  test('is empty without buckets', () => {
    const record = OperatorRecord.parse(composeWindowRecord([], { timestamp: NOW }));

    expect(record.source).toEqual({ provider: 'unknown', model: 'unknown', tool: 'unknown' });
    expect(record.telemetry).toEqual({ input: 0, output: 0, cache_write: null, cache_read: null });
    expect(record.context).toBeUndefined();
  });

  test('throws count_out_of_range above 2^53-1', () => {
    const huge = aBucket({ input: Number.MAX_SAFE_INTEGER - 1_200_000 });

    expect(() => composeWindowRecord([huge, huge], AT)).toThrow(
      expect.objectContaining({ code: 'count_out_of_range' }),
    );
  });
});
