import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rankContenders } from '#core/domain/board/board.ts';

/** A contender, identified by the position in the list. */
interface Contender {
  low: number;
  high?: number;
  total?: number;
}

function rank(contenders: Contender[]) {
  const lows = contenders.map(({ low }) => low);
  const { ranked, ranks, best, worst, unranked } = rankContenders({
    lows,
    bounds: { lows, highs: contenders.map(({ low, high = low }) => high) },
    totals: contenders.map(({ total = 1 }) => total),
  });
  return {
    ranked: [...ranked],
    ranks: [...ranks],
    best: [...best],
    worst: [...worst],
    unranked: [...unranked],
  };
}

/** Position and rank, best first. */
function places(contenders: Contender[]): [number, number][] {
  const { ranked, ranks } = rank(contenders);
  return ranked.map((position, index) => [position, ranks[index] ?? 0]);
}

/** The best and the worst rank, best first. */
function ranges(contenders: Contender[]): [number, number][] {
  const { best, worst } = rank(contenders);
  return best.map((place, index) => [place, worst[index] ?? 0]);
}

describe('rankContenders()', () => {
  test('ranks the larger value first, and equal values the same: 1, 2, 2, 4', () => {
    expect(places([{ low: 9 }, { low: 5 }, { low: 5 }, { low: 1 }])).toEqual([
      [0, 1],
      [1, 2],
      [2, 2],
      [3, 4],
    ]);
    expect(places([{ low: 1 }, { low: 9 }])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test('orders a tie by total, then by codename', () => {
    expect(places([{ low: 5 }, { low: 5 }, { low: 5, total: 2 }])).toEqual([
      [2, 1],
      [0, 1],
      [1, 1],
    ]);
  });

  test('ranks a value of zero and a negative one', () => {
    expect(places([{ low: -1 }, { low: 0 }])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test('lists contenders who cannot be ranked by codename, and does not count them', () => {
    expect(rank([{ low: NaN, high: 9 }, { low: 1 }, { low: NaN }])).toEqual({
      ranked: [1],
      ranks: [1],
      best: [1],
      worst: [1],
      unranked: [0, 2],
    });
  });

  test('is empty without contenders', () => {
    expect(rank([])).toEqual({ ranked: [], ranks: [], best: [], worst: [], unranked: [] });
  });

  test('returns the rank ranges that overlapping intervals allow', () => {
    const four = [
      { low: 8, high: 9 },
      { low: 5, high: 8 },
      { low: 4, high: 4.5 },
      { low: 1, high: 8.5 },
    ];

    expect(ranges(four)).toEqual([
      [1, 3],
      [1, 3],
      [3, 4],
      [1, 4],
    ]);
  });

  test('treats touching and unbounded intervals as overlapping', () => {
    const touching = [
      { low: 5, high: 7 },
      { low: 3, high: 5 },
    ];

    expect(ranges(touching)).toEqual([
      [1, 2],
      [1, 2],
    ]);
    expect(ranges([{ low: 9 }, { low: 0, high: Infinity }, { low: 0 }])).toEqual([
      [1, 2],
      [1, 3],
      [2, 3],
    ]);
  });

  test('equals comparing every pair of contenders', () => {
    const end = fc.oneof(fc.nat(9), fc.constant(Infinity));
    const contender = fc.record({
      low: fc.oneof(fc.nat(5), fc.constant(NaN)),
      width: end,
      total: fc.nat(3),
    });

    fc.assert(
      fc.property(fc.array(contender, { maxLength: 30 }), (drawn) => {
        const all = drawn.map((one) => ({ ...one, high: one.low + one.width }));
        const { ranked, ranks, best, worst, unranked } = rank(all);
        const among = ranked.map((position) => all[position] as Required<Contender>);
        const placesOf = ({ low, high }: Required<Contender>) => ({
          rank: 1 + among.filter((other) => other.low > low).length,
          best: 1 + among.filter((other) => other.low > high).length,
          worst: among.length - among.filter((other) => other.high < low).length,
        });

        expect([...ranked, ...unranked].sort((a, b) => a - b)).toEqual([...all.keys()]);
        expect(unranked.every((position) => Number.isNaN(all[position]?.low))).toBe(true);
        expect(
          ranks.map((rankThere, at) => ({ rank: rankThere, best: best[at], worst: worst[at] })),
        ).toEqual(among.map(placesOf));
      }),
    );
  });

  test('has every rank within its range', () => {
    const contender = fc.record({ low: fc.double({ noNaN: true }), width: fc.nat() });

    fc.assert(
      fc.property(fc.array(contender, { maxLength: 30 }), (drawn) => {
        const { ranks, best, worst } = rank(
          drawn.map(({ low, width }) => ({ low, high: low + width })),
        );

        ranks.forEach((place, index) => {
          expect(best[index]).toBeLessThanOrEqual(place);
          expect(worst[index]).toBeGreaterThanOrEqual(place);
        });
      }),
    );
  });
});
