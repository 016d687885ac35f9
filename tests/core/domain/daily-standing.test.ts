import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DailyStanding, dailyPlace, packDailyStanding } from '#core/domain/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import { WINDOWS } from '#core/domain/window.ts';

const count = fc.integer({ min: 1, max: 2 ** 32 - 1 });
const place = fc.record({
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  rank: fc.option(count),
  place: fc.option(count),
});
const places = fc.record(
  Object.fromEntries(METRIC_NAMES.map((metric) => [metric, place])),
) as fc.Arbitrary<NonNullable<DailyStanding['7d']>>;

describe('packDailyStanding()', () => {
  test('gives back every place, and null for the windows without tokens', () => {
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

  test('takes 320 bytes for all windows, wherever in a buffer they are read from', () => {
    const [ofWindow] = fc.sample(places, 1);
    const body = packDailyStanding(Object.fromEntries(WINDOWS.map((name) => [name, ofWindow])));
    const shifted = Buffer.concat([Buffer.from('x'), body]).subarray(1);

    expect(body).toHaveLength(320);
    expect(dailyPlace(shifted, '7d', 'dev10x')).toEqual(ofWindow?.dev10x);
  });
});
