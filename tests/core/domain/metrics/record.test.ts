import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketOfRecord, composeRecord, isMidnight } from '#core/domain/metrics/record.ts';
import { OperatorRecord } from '#core/schema/record.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket, aRecord } from '#tests/support/board/builders.ts';
import { aFingerprint, fingerprintOfResponses } from '#tests/support/board/fingerprints.ts';

const count = fc.oneof(fc.nat(3), fc.maxSafeNat());
const anyBucket: fc.Arbitrary<Bucket> = fc.record(
  {
    day: fc
      .date({ min: new Date('2023-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10)),
    provider: fc.constantFrom('anthropic', 'é', '😀'.repeat(120)),
    model: fc.constantFrom('m', '__proto__'),
    tool: fc.constantFrom('claude-code', 'other tool'),
    input: count,
    output: count,
    cache_write: fc.option(count),
    cache_read: fc.option(count),
    fingerprint: aFingerprint,
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      ...(['day', 'provider', 'model', 'tool', 'input', 'output', 'cache_write'] as const),
      'cache_read',
    ],
  },
);

describe('composeRecord()', () => {
  test("has the bucket's midnight as timestamp, and the window", () => {
    expect(composeRecord(aBucket({ cache_read: null }))).toStrictEqual({
      spec: 'rank/0.1-draft',
      timestamp: '2026-03-01T00:00:00Z',
      source: { provider: 'anthropic', model: 'claude-opus-5', tool: 'claude-code' },
      telemetry: { input: 1100, output: 10000, cache_write: 100000, cache_read: null },
      metrics: { yield: null, leverage: null, velocity: 9.091, snr: 0.9009, dev10x: null },
      warnings: [
        'cache_read_unavailable',
        'yield_undefined: requires cache_read reported',
        'leverage_undefined: requires cache_read reported',
        'dev10x_undefined: requires cache_read > 0',
      ],
      context: { window: '1d' },
    });
  });

  test('adds a fingerprint in at most 98 characters', () => {
    const fingerprint = fingerprintOfResponses(0, 100);
    const [bare, stated] = [aBucket(), aBucket({ fingerprint })].map(composeRecord);

    expect(stated).toStrictEqual({ ...bare, context: { window: '1d', fingerprint } });
    expect(JSON.stringify(stated).length - JSON.stringify(bare).length).toBeLessThanOrEqual(98);
  });

  test('makes an Operator Record of every bucket, even after a round trip through JSON', () => {
    fc.assert(
      fc.property(anyBucket, (bucket) => {
        const record = composeRecord(bucket);

        expect(OperatorRecord.parse(JSON.parse(JSON.stringify(record)))).toStrictEqual(record);
      }),
    );
  });
});

describe('bucketOfRecord()', () => {
  test.each([null, '', 'AAAAAQAAAAE', 7, {}, [], true])(
    'leaves out an invalid fingerprint: %j',
    (fingerprint) => {
      expect(bucketOfRecord(aRecord({ context: { fingerprint } }))).toStrictEqual(aBucket());
    },
  );

  test('returns the bucket from which a record was composed', () => {
    fc.assert(
      fc.property(anyBucket, (bucket) => {
        expect(bucketOfRecord(composeRecord(bucket))).toStrictEqual(bucket);
      }),
    );
  });

  test('reads an absent pillar as null and a zero as zero', () => {
    const absent = aRecord({ telemetry: { input: 1, output: 2 } });
    const zero = aRecord({ telemetry: { input: 1, output: 2, cache_write: 0, cache_read: 0 } });

    expect(bucketOfRecord(absent)).toMatchObject({ cache_write: null, cache_read: null });
    expect(bucketOfRecord(zero)).toMatchObject({ cache_write: 0, cache_read: 0 });
  });

  test.each([
    ['2026-03-01T23:59:59.999Z', '2026-03-01'],
    ['2026-03-02T00:00:00Z', '2026-03-02'],
    ['2026-03-02T00:30:00+01:00', '2026-03-01'],
    ['2026-03-01T23:30:00-01:00', '2026-03-02'],
  ])('folds %s to the UTC day %s', (timestamp, day) => {
    expect(bucketOfRecord(aRecord({ timestamp })).day).toBe(day);
  });
});

describe('isMidnight()', () => {
  test.each([
    ['2026-03-01T00:00:00Z', true],
    ['2026-03-01T00:00:00.000Z', true],
    ['2026-03-01T02:00:00+02:00', true],
    ['1969-12-31T00:00:00Z', true],
    ['2026-03-01T00:00:01Z', false],
    ['2026-03-01T00:00:00.001Z', false],
    ['2026-03-01T00:00:00+02:00', false],
  ])('is true only at 00:00:00Z: %s', (timestamp, expected) => {
    expect(isMidnight(aRecord({ timestamp }))).toBe(expected);
  });
});
