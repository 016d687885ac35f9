import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import {
  FINGERPRINT_VALUES,
  fingerprintOf,
  formatFingerprint,
  mergeFingerprints,
  overlapOf,
  parseFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import { hashOf, printOf, responses } from '#tests/support/board/fingerprints.ts';

const value = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const values = fc.uniqueArray(value, { minLength: 1, maxLength: 40 });

describe('fingerprintOf()', () => {
  test('contains the 15 smallest distinct values, ascending, in any input order', () => {
    fc.assert(
      fc.property(values, fc.nat(), (drawn, seed) => {
        const smallest = [...drawn].sort((a, b) => a - b).slice(0, FINGERPRINT_VALUES);
        const turned = [...drawn.slice(seed % drawn.length), ...drawn, ...drawn];

        expect(fingerprintOf(turned)).toEqual(smallest);
      }),
    );
  });

  test('is null for no responses', () => {
    expect(fingerprintOf([])).toBeNull();
    expect(mergeFingerprints([])).toBeNull();
  });
});

describe('mergeFingerprints()', () => {
  test('returns the fingerprint of the union, in any order', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 4 }), (sets) => {
        const prints = sets.map((set) => fingerprintOf(set) ?? []);

        expect(mergeFingerprints(prints)).toEqual(fingerprintOf(sets.flat()));
        expect(mergeFingerprints(prints.reverse())).toEqual(fingerprintOf(sets.flat()));
      }),
    );
  });
});

describe('parseFingerprint()', () => {
  test('reads what was formatted: 6 to 80 characters', () => {
    fc.assert(
      fc.property(values, (drawn) => {
        const fingerprint = fingerprintOf(drawn) ?? [];
        const text = formatFingerprint(fingerprint);

        expect(parseFingerprint(text)).toEqual(fingerprint);
        expect(text.length).toBeGreaterThanOrEqual(6);
        expect(text.length).toBeLessThanOrEqual(80);
      }),
    );
  });

  const many = formatFingerprint(responses(1, 17));
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['no text', 7],
    ['null', null],
    ['undefined', undefined],
    ['an object', {}],
    ['padding', 'AAAAAQ=='],
    ['bits after the last byte', 'AAAAAR'],
    ['the other alphabet', '+/8AAQ'],
    ['a line feed', 'AAAAAQ\n'],
    ['three bytes', 'AAAA'],
    ['a repeated value', 'AAAAAQAAAAE'],
    ['descending values', 'AAAAAgAAAAE'],
    ['16 values', many],
  ])('is null for %s', (_, text) => {
    expect(parseFingerprint(text)).toBeNull();
  });

  test('accepts the smallest and the largest value', () => {
    expect(parseFingerprint('AAAAAP____8')).toEqual([0, 2 ** 32 - 1]);
  });
});

describe('overlapOf()', () => {
  const shared = (own: readonly number[], others: readonly number[]) => {
    const { compared, common } = overlapOf(printOf(own), printOf(others));
    return compared === 0 ? null : common / compared;
  };
  const size = fc.integer({ min: 1, max: 400 });

  test('finds that equal and nested sets overlap completely', () => {
    fc.assert(
      fc.property(size, fc.nat(400), fc.nat(), (inner, more, seed) => {
        const own = responses(seed, seed + inner);

        expect(shared(own, own)).toBe(1);
        expect(shared(own, responses(seed, seed + inner + more)) ?? 1).toBe(1);
      }),
    );
  });

  test('finds no overlap between sets of random values', () => {
    // The same in each run. Unlike the hashes of different responses, they repeat as often as random values.
    const drawn = (at: number) => (hashOf(at) ^ at) >>> 0;
    let next = 0;
    const some = (count: number) => {
      next += count;
      return fingerprintOf(responses(next - count, next).map(drawn)) ?? [];
    };
    let found = 0;
    for (let run = 0; run < 2_000; run += 1) found += overlapOf(some(100), some(1_000)).common;

    // One in 3 million pairs of such sets has a value in common.
    expect(found).toBe(0);
  });

  test('compares complete fingerprints exactly', () => {
    expect(overlapOf(printOf(responses(0, 10)), printOf(responses(7, 21)))).toEqual({
      compared: 10,
      common: 3,
    });
  });

  test("compares nothing if the other side has so many values that none of this side's is among its smallest", () => {
    const own = [2 ** 31];
    const others = fingerprintOf(responses(0, 15)) ?? [];

    expect(overlapOf(own, others)).toEqual({ compared: 0, common: 0 });
  });

  // The error of one estimate is at most sqrt(0.25 / 7), so 0.19, and that of the mean of 1500 of them 0.005.
  test.each([
    [100, 100, 50],
    [300, 100, 50],
    [100, 300, 20],
    [200, 200, 180],
    [60, 40, 10],
  ])('estimates without bias: of %i and %i responses %i are the same', (own, others, same) => {
    const estimates: number[] = [];
    for (let run = 0; run < 1_500; run += 1) {
      const at = run * 1_000;
      const estimate = shared(
        responses(at, at + own),
        responses(at + own - same, at + own - same + others),
      );
      if (estimate !== null) estimates.push(estimate);
    }
    const mean = estimates.reduce((sum, one) => sum + one, 0) / estimates.length;

    expect(Math.abs(mean - same / own)).toBeLessThan(0.02);
  });

  test('counts each pair of own value and other fingerprint only once', () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        const [own, others] = [fingerprintOf(first) ?? [], fingerprintOf(second) ?? []];
        const { compared, common } = overlapOf(own, others);

        expect(common).toBe(overlapOf(others, own).common);
        expect(common).toBeLessThanOrEqual(compared);
        expect(compared).toBeLessThanOrEqual(own.length);
      }),
    );
  });
});
