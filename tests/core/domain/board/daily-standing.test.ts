import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDailyStanding, widenDailyStanding } from '#core/domain/board/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { aDayRow } from '#tests/support/board/kept-days.ts';

const count = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const place = fc.record({
  value: fc.option(value),
  rank: fc.option(count),
  place: fc.option(count),
});

describe('widenDailyStanding()', () => {
  /** A place in the old format without an interval: value, rank, place. */
  const narrow = (of: { value: number | null; rank: number | null; place: number | null }[]) => {
    const bytes = Buffer.alloc(of.length * 16);
    of.forEach((one, index) => {
      bytes.writeDoubleLE(one.value ?? Number.NaN, index * 16);
      bytes.writeUInt32LE(one.rank ?? 0, index * 16 + 8);
      bytes.writeUInt32LE(one.place ?? 0, index * 16 + 12);
    });
    return bytes;
  };

  test('keeps every value, rank and place, with null intervals', () => {
    const kept = fc.array(place, {
      minLength: METRIC_NAMES.length,
      maxLength: METRIC_NAMES.length,
    });

    fc.assert(
      fc.property(kept, (of) => {
        const body = widenDailyStanding(narrow(of));

        expect(readDailyStanding(1, body)).toEqual(aDayRow(1, 1, placeOf(of)));
      }),
    );
  });

  const placeOf = (of: { value: number | null; rank: number | null; place: number | null }[]) => {
    return (_: WindowName, metric: MetricName) => {
      const at = METRIC_NAMES.indexOf(metric);
      return { interval: null, ...(of[at] as (typeof of)[number]) };
    };
  };

  test('keeps empty bytes empty', () => {
    expect(widenDailyStanding(new Uint8Array())).toHaveLength(0);
  });
});
