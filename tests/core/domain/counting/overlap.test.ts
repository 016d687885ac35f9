import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import { type CountedBucket, sameDevices } from '#core/domain/counting/counting.ts';
import { fingerprintOf, formatFingerprint } from '#core/domain/counting/fingerprint.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { fingerprintOfResponses, responses } from '#tests/support/board/fingerprints.ts';
import { replay } from '#tests/support/board/replay.ts';
import { anySubmission, settled } from '#tests/support/http/settled.ts';

describe('the responses of several devices', () => {
  const of = (from: number, to: number, over: Partial<Bucket> = {}) => {
    const tokens = to - from;
    const pillars = { output: tokens * 10, cache_write: null, cache_read: tokens * 1_000 };
    const fingerprint = fingerprintOfResponses(from, to);
    return aBucket({ input: tokens, ...pillars, fingerprint, ...over });
  };
  const sent = (device_id: number, ...buckets: Bucket[]) => ({ device_id, buckets });
  const inputs = (buckets: readonly CountedBucket[]) =>
    buckets
      .map(({ device_id, input, counted: { input: part } }) => [device_id, input, part])
      .sort();

  test('count once if one device has everything that the other has, in either order', () => {
    const [small, all] = [sent(1, of(0, 60)), sent(2, of(0, 100))];
    const expected = [
      [1, 60, 0],
      [2, 100, 100],
    ];

    expect(inputs(settled(small, all))).toEqual(expected);
    expect(inputs(settled(all, small))).toEqual(expected);
  });

  test('all count if there is no overlap, even if the counts are equal', () => {
    expect(inputs(settled(sent(1, of(0, 100)), sent(2, of(100, 200))))).toEqual([
      [1, 100, 100],
      [2, 100, 100],
    ]);
  });

  test('count in part if they overlap in part, exactly if there are fewer than 15', () => {
    const after = settled(sent(1, of(0, 14)), sent(2, of(7, 19)));

    expect(after[1]).toMatchObject({ counts: 1, input: 12, output: 120, cache_read: 12_000 });
    expect(after[1]?.counted).toEqual({
      ...{ input: 5, output: 50, cache_write: null, cache_read: 5_000 },
    });
  });

  test('scale every token type by the same share, rounded down', () => {
    const pillars = { input: 1, output: 3, cache_write: 7, cache_read: MAX_COUNT - 2_000_000 };
    const large = of(0, 4, { input: MAX_COUNT - 1_000_000 });
    const [, second] = settled(sent(1, large), sent(2, of(3, 6, pillars)));

    expect(second?.counted).toEqual({
      ...{ input: 0, output: 2, cache_write: 4 },
      cache_read: Number((BigInt(pillars.cache_read) * 2n) / 3n),
    });
  });

  test.each([
    ['a single value of several', [...responses(91, 100), 100, ...responses(500, 505)], 30],
    ['two values of several', [...responses(92, 102), ...responses(500, 505)], 24],
    ['one value of a complete fingerprint', [90, 91, 100], 20],
    ['the only value that can be compared', [100, ...responses(200, 214)], 0],
  ])('are subtracted only if the overlap is certain: %s, %j', (_, values, expected) => {
    const print = (of15: readonly number[]) => formatFingerprint(fingerprintOf(of15) ?? []);
    const large = of(0, 100, { fingerprint: print(responses(100, 115)) });
    const small = of(0, 30, { fingerprint: print(values) });

    expect(settled(sent(1, large), sent(2, small))[1]?.counted.input).toBe(expected);
  });

  test('are compared with everything counted before, from any device', () => {
    const after = settled(sent(1, of(0, 14)), sent(2, of(14, 27)), sent(3, of(8, 20)));

    expect(inputs(after)).toEqual([
      [1, 14, 14],
      [2, 13, 13],
      [3, 12, 0],
    ]);
  });

  test('overlap only within a provider, model, day and tool', () => {
    const after = settled(sent(1, of(0, 9)), sent(2, of(0, 9, { model: 'other' })));

    expect(inputs(after)).toEqual([
      [1, 9, 9],
      [2, 9, 9],
    ]);
  });

  test('are recognized by equal counts if a device sends no fingerprint', () => {
    const bare = { ...of(0, 100), fingerprint: undefined };
    const expected = [
      [1, 100, 100],
      [2, 100, 0],
    ];

    expect(inputs(settled(sent(1, bare), sent(2, of(50, 150))))).toEqual(expected);
    expect(inputs(settled(sent(1, of(50, 150)), sent(2, bare)))).toEqual(expected);
    expect(inputs(settled(sent(1, bare), sent(2, of(0, 99))))).toEqual([
      [1, 100, 100],
      [2, 99, 99],
    ]);
  });

  test('have no fingerprint if unsigned', () => {
    const [only] = settled({ ...sent(9, of(0, 9)), trust: 'self_reported' });

    expect(only?.fingerprint).toBeUndefined();
    expect(only?.counted.input).toBe(9);
  });

  test('name the device with the largest overlap', () => {
    const after = settled(
      sent(1, of(0, 14)),
      sent(2, of(14, 27)),
      sent(3, of(5, 17)),
      sent(4, of(40, 44)),
      sent(5, { ...of(0, 14), fingerprint: undefined }),
    );
    const same = sameDevices(after);

    expect(after.map((bucket) => [bucket.device_id, same.get(bucket)])).toEqual([
      [1, undefined],
      [2, undefined],
      [3, 1],
      [4, undefined],
      [5, 1],
    ]);
  });

  test('never count for more than was submitted, nor for less than the largest bucket', () => {
    fc.assert(
      fc.property(fc.array(anySubmission, { maxLength: 8 }), (drawn) => {
        const after = replay(drawn.map((one, at) => ({ ...one, log_index: at + 1 })));
        for (const bucket of after) {
          for (const pillar of ['input', 'output', 'cache_write', 'cache_read'] as const) {
            const part = bucket.counted[pillar];
            expect(part === null).toBe(bucket[pillar] === null);
            expect(Number.isSafeInteger(part ?? 0)).toBe(true);
            expect(part ?? 0).toBeGreaterThanOrEqual(0);
            expect(part ?? 0).toBeLessThanOrEqual(bucket[pillar] ?? 0);
          }
        }
        const byKey = groupBy(
          after.filter(({ trust }) => trust === 'signed'),
          bucketKey,
        );
        for (const rivals of byKey.values()) {
          const largest = Math.max(...rivals.map(totalOf));
          const sum = rivals.reduce((all, bucket) => all + totalOf(bucket.counted), 0);
          expect(sum).toBeGreaterThanOrEqual(largest);
        }
      }),
      { numRuns: 500 },
    );
  });
});
