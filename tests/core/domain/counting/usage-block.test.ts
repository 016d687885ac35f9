import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayNumber } from '#core/domain/counting/day.ts';
import {
  type BlockRow,
  decodeUsage,
  encodeUsage,
  firstDayOfMonth,
  monthOf,
} from '#core/domain/counting/usage-block.ts';
import { MAX_COUNT } from '#core/schema/usage.ts';

const MARCH = 12 * 2026 + 2;
const FIRST = dayNumber('2026-03-01');

const count = fc.oneof(fc.nat(300), fc.nat(), fc.maxSafeNat(), fc.constant(MAX_COUNT));
const row = fc.tuple(
  fc.integer({ min: FIRST, max: FIRST + 30 }),
  fc.oneof(fc.nat(20), fc.constant(2 ** 40)),
  fc.constantFrom<0 | 1>(0, 1),
  count,
  count,
  fc.option(count),
  fc.option(count),
);

interface Decoded {
  day: number;
  source: string;
  input: number;
  output: number;
  cache_write: number | null;
  cache_read: number | null;
}

function decoded(body: Uint8Array): Decoded[] {
  const usage: Decoded[] = [];
  decodeUsage({ month: MARCH, body }, (source, isOwn) => `${source} ${isOwn}`, usage);
  return usage;
}

describe('encodeUsage()', () => {
  test('can be read back exactly', () => {
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const sorted = rows.toSorted(([a], [b]) => a - b);

        const usage = decoded(encodeUsage(MARCH, sorted));

        expect(usage).toEqual(
          sorted.map(([day, source, isOwn, input, output, cache_write, cache_read]) => {
            return {
              day,
              source: `${source} ${isOwn === 1}`,
              input,
              output,
              cache_write,
              cache_read,
            };
          }),
        );
      }),
    );
  });

  test('writes each integer in groups of 7 bits, lowest first', () => {
    const rows: BlockRow[] = [
      [FIRST + 2, 1, 0, 127, 128, 0, 300],
      [FIRST + 2, 1, 1, 1, 2, null, null],
    ];

    const first = [2, 0b1011, 127, 0x80, 1, 0, 0xac, 2];
    expect([...encodeUsage(MARCH, rows)]).toEqual([...first, 0, 0b1100, 1, 2]);
  });

  test('is read only as a whole', () => {
    const bytes = encodeUsage(MARCH, [[FIRST, 0, 0, 1, 2, null, 300]]);

    expect(() => decoded(bytes.subarray(0, -1))).toThrow(RangeError);
  });
});

test('months are numbered from the year 0, in UTC', () => {
  expect(
    ['2026-02-28', '2026-03-01', '2026-03-31', '2026-04-01'].map(dayNumber).map(monthOf),
  ).toEqual([MARCH - 1, MARCH, MARCH, MARCH + 1]);
  expect(firstDayOfMonth(MARCH)).toBe(FIRST);
});
