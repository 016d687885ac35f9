import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DailyStanding,
  dailyPlace,
  packDailyStanding,
  widenDailyStanding,
} from '#core/domain/board/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';

const count = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const value = fc.double({ noNaN: true, noDefaultInfinity: true });
const place = fc.record({
  value: fc.option(value),
  interval: fc.option(fc.tuple(value, fc.option(value))),
  rank: fc.option(count),
  place: fc.option(count),
});
const places = fc.record(
  Object.fromEntries(METRIC_NAMES.map((metric) => [metric, place])),
) as fc.Arbitrary<NonNullable<DailyStanding['7d']>>;

describe('packDailyStanding()', () => {
  test('returns every place, and null for windows without tokens', () => {
    const windows = fc.integer({ min: 0, max: WINDOWS.length });

    fc.assert(
      fc.property(windows, places, (without, ofWindow) => {
        const peopled = WINDOWS.slice(without);
        const body = packDailyStanding(
          Object.fromEntries(peopled.map((window) => [window, ofWindow])),
        );

        const read = (window: (typeof WINDOWS)[number]) =>
          METRIC_NAMES.map((metric) => dailyPlace(body, window, metric));
        expect(peopled.map(read)).toEqual(
          peopled.map(() => METRIC_NAMES.map((metric) => ofWindow[metric])),
        );
        expect(WINDOWS.slice(0, without).flatMap(read)).toEqual(
          Array(without * METRIC_NAMES.length).fill(null),
        );
      }),
    );
  });

  test('needs 640 bytes for all windows, at any offset in a buffer', () => {
    const [ofWindow] = fc.sample(places, 1);
    const body = packDailyStanding(Object.fromEntries(WINDOWS.map((name) => [name, ofWindow])));
    const shifted = Buffer.concat([Buffer.from('x'), body]).subarray(1);

    expect(body).toHaveLength(640);
    expect(dailyPlace(shifted, '7d', 'dev10x')).toEqual(ofWindow?.dev10x);
  });
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

        expect(METRIC_NAMES.map((metric) => dailyPlace(body, 'all_time', metric))).toEqual(
          of.map((one) => ({ ...one, interval: null })),
        );
        expect(dailyPlace(body, '90d', 'yield')).toBeNull();
      }),
    );
  });

  test('keeps empty bytes empty', () => {
    expect(widenDailyStanding(new Uint8Array())).toHaveLength(0);
  });
});
