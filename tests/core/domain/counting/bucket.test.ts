import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bucketKey,
  bucketUsage,
  sortBuckets,
  sumPillars,
  totalOf,
} from '#core/domain/counting/bucket.ts';
import { MAX_COUNT, type Pillars, type UsageEvent } from '#core/schema/usage.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const MIDNIGHT = Date.UTC(2026, 2, 2);

function anEvent(over: Partial<UsageEvent> = {}): UsageEvent {
  const { provider, model, input, output, cache_write, cache_read } = aBucket();
  const counts = { input, output, cache_write, cache_read };
  return { timestampMs: MIDNIGHT, provider, model, ...counts, ...over };
}

function pillars(over: Partial<Pillars>): Pillars {
  return { input: 0, output: 0, cache_write: null, cache_read: null, ...over };
}

const anyEvent: fc.Arbitrary<UsageEvent> = fc.record({
  timestampMs: fc.integer({ min: MIDNIGHT - 3 * 86_400_000, max: MIDNIGHT + 3 * 86_400_000 }),
  provider: fc.constantFrom('p', 'q'),
  model: fc.constantFrom('m', 'n', 'é'),
  input: fc.nat(1000),
  output: fc.nat(1000),
  cache_write: fc.option(fc.nat(1000)),
  cache_read: fc.option(fc.nat(1000)),
});

describe('sumPillars()', () => {
  test('is null only if no part reports the token type', () => {
    const parts = [pillars({ cache_read: 0 }), pillars({ cache_read: null })];

    expect(sumPillars(parts)).toEqual(pillars({ cache_read: 0 }));
    expect(sumPillars([])).toEqual(pillars({}));
  });

  test('accepts a total of 2^53-1 and rejects 2^53', () => {
    const half = pillars({ input: 2 ** 52 - 1, cache_read: 1 });

    expect(totalOf(sumPillars([half, pillars({ output: 2 ** 52 - 1 })]))).toBe(MAX_COUNT);
    expect(() => sumPillars([half, pillars({ output: 2 ** 52 })])).toThrow(
      refusal('count_out_of_range'),
    );
  });
});

describe('bucketUsage()', () => {
  test('splits days at UTC midnight', () => {
    const events = [anEvent({ timestampMs: MIDNIGHT - 1 }), anEvent({ timestampMs: MIDNIGHT })];

    expect(bucketUsage('claude-code', events).map(({ day }) => day)).toEqual([
      '2026-03-01',
      '2026-03-02',
    ]);
  });

  test('sums events of the same day, provider and model', () => {
    const events = [anEvent({ cache_read: null }), anEvent({ cache_write: null }), anEvent()];

    expect(bucketUsage('claude-code', events)).toEqual([
      aBucket({
        day: '2026-03-02',
        input: 3 * 1100,
        output: 3 * 10_000,
        cache_write: 2 * 100_000,
        cache_read: 2 * 1_000_000,
      }),
    ]);
  });

  test('is null if no event reports the token type, and zero if one reports zero', () => {
    const [first, second] = bucketUsage('t', [
      anEvent({ model: 'a', cache_write: null, cache_read: 0 }),
      anEvent({ model: 'b', cache_write: 0, cache_read: null }),
    ]);

    expect(first).toMatchObject({ cache_write: null, cache_read: 0 });
    expect(second).toMatchObject({ cache_write: 0, cache_read: null });
  });

  test('is empty without events', () => {
    expect(bucketUsage('t', [])).toEqual([]);
  });

  test('rejects a bucket above 2^53-1 tokens', () => {
    const most = anEvent({ input: MAX_COUNT, output: 0, cache_write: null, cache_read: null });
    const one = anEvent({ input: 0, output: 1, cache_write: null, cache_read: null });

    expect(bucketUsage('t', [most])).toHaveLength(1);
    expect(() => bucketUsage('t', [most, one])).toThrow(refusal('count_out_of_range'));
  });

  test('loses no token, keeps keys apart and sorts by them, whatever the order of events', () => {
    const scene = fc.array(anyEvent, { maxLength: 30 }).chain((events) =>
      fc.record({
        events: fc.constant(events),
        shuffled: fc.shuffledSubarray(events, { minLength: events.length }),
      }),
    );

    fc.assert(
      fc.property(scene, ({ events, shuffled }) => {
        const buckets = bucketUsage('t', events);
        const keys = buckets.map(bucketKey);

        expect(bucketUsage('t', shuffled)).toEqual(buckets);
        expect(sumPillars(buckets)).toEqual(sumPillars(events));
        expect(keys).toEqual([...new Set(keys)].sort());
      }),
    );
  });
});

describe('sortBuckets()', () => {
  test('orders by day, tool, provider and model, in code units', () => {
    const sorted = [
      aBucket({ day: '2026-03-01', tool: 'a', model: 'z' }),
      aBucket({ day: '2026-03-01', tool: 'b', provider: 'Z' }),
      aBucket({ day: '2026-03-01', tool: 'b', provider: 'a', model: 'B' }),
      aBucket({ day: '2026-03-01', tool: 'b', provider: 'a', model: 'a' }),
      aBucket({ day: '2026-03-01', tool: 'b', provider: 'a', model: 'é' }),
      aBucket({ day: '2026-03-02', tool: 'a' }),
    ];

    expect(sortBuckets([...sorted].reverse())).toEqual(sorted);
  });
});
