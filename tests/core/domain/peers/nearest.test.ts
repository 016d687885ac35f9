import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { significant } from '#core/domain/metrics/metrics.ts';
import { nearest } from '#core/domain/peers/peers.ts';

const score = fc.oneof(
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0, 1, 1 + 1e-14, -1),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
);

describe('nearest()', () => {
  test('equals the start of a list sorted by score, then by index', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 40 }), fc.integer({ min: 1, max: 8 }), (all, n) => {
        const found = nearest(all.length, n, (at) => all[at] as number);

        const sorted = all
          .map((raw, at) => ({ at, score: Number.isFinite(raw) ? significant(raw) : raw }))
          .filter((one) => !Number.isNaN(one.score))
          .sort((a, b) => (a.score === b.score ? a.at - b.at : a.score - b.score));
        expect(found).toEqual(sorted.slice(0, n));
      }),
      { numRuns: 2000 },
    );
  });
});
