import { describe, expect, test } from 'vitest';
import { bucketsIn } from '#db/buckets.ts';
import { accountDataIn } from '#db/account-data.ts';
import { corpusIn, recordsIn } from '#db/records.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { aCountedBucket } from '#tests/support/board/builders.ts';
import { aPopulatedDatabase, plansOf } from '#tests/support/board/database.ts';

const counted = aCountedBucket;

function withBuckets(...rows: CountedBucket[]) {
  const db = aPopulatedDatabase();
  bucketsIn(db).replaceGroups(1, [], rows);
  return recordsIn(db);
}

describe('page()', () => {
  const rows = [
    counted({ day: '2026-03-01' }),
    counted({ day: '2026-03-02', tool: 'a' }),
    counted({ day: '2026-03-02', tool: 'b', device_id: 1, provider: 'y' }),
    counted({ day: '2026-03-02', tool: 'b', log_index: 2, provider: 'x', model: 'm' }),
    counted({ day: '2026-03-02', tool: 'b', log_index: 2, provider: 'x', model: 'n' }),
    counted({ day: '2026-03-02', tool: 'b', log_index: 2, provider: 'z', model: 'a' }),
    counted({ day: '2026-03-03', counts: 0 }),
    counted({ day: '2026-03-04', device_id: 3 }),
  ];
  const counting = rows.filter(({ counts }) => counts === 1).reverse();
  const shown = ({ day, tool, log_index, provider, model }: CountedBucket) => ({
    ...{ day, tool, log_index, provider, model },
  });

  test('returns what counts, newest day first, in one order', () => {
    const page = withBuckets(...rows).page(1, null, 10);

    expect(page).toMatchObject(counting.map(shown));
    expect(page[0]).toMatchObject({ input: 1100, output: 10_000, cache_read: 1_000_000 });
  });

  test.each(counting.map((row, at) => [at, row] as const))(
    'continues after place %i, whether the daily count still counts or not',
    (at, row) => {
      const rest = counting.slice(at + 1, at + 3).map(shown);
      const without = rows.filter((one) => one !== row);

      expect(withBuckets(...rows).page(1, row, 2)).toMatchObject(rest);
      expect(withBuckets(...without).page(1, row, 2)).toMatchObject(rest);
    },
  );

  test('shows nothing of another operator', () => {
    expect(withBuckets(...rows).page(2, null, 10)).toEqual([]);
    expect(withBuckets(...rows).total(2)).toBe(0);
    expect(withBuckets(...rows).total(1)).toBe(7);
  });
});

test.each([recordsIn, corpusIn, accountDataIn])(
  '%o reads no further than a page',
  (repositoryIn) => {
    const pages = plansOf(aPopulatedDatabase(), repositoryIn).filter(({ sql }) =>
      /FROM buckets.*LIMIT @limit/su.test(sql),
    );

    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter(({ steps }) => !steps.some((step) => step.startsWith('MERGE')))).toEqual(
      [],
    );
  },
);

describe('perSubmission()', () => {
  test('counts what counts, by submission, within the days and the range of the log', () => {
    const records = withBuckets(
      counted({ model: 'a', log_index: 1 }),
      counted({ model: 'b', log_index: 2 }),
      counted({ model: 'c', log_index: 2, counts: 0 }),
      counted({ model: 'd', log_index: 3 }),
      counted({ model: 'e', log_index: 3, day: '2026-03-03' }),
      counted({ model: 'f', log_index: 3, day: '2026-03-04' }),
      counted({ model: 'g', log_index: 4 }),
    );
    const span = { operator_id: 1, from: '2026-03-01', to: '2026-03-03' };

    const found = records.perSubmission({ ...span, first: 2, last: 3 });

    expect([...found]).toEqual([
      [2, 1],
      [3, 2],
    ]);
  });
});

describe('signedUsage()', () => {
  test('returns signed daily counts that count, by day', () => {
    const records = withBuckets(
      counted({ day: '2026-03-03', cache_read: null }),
      counted({ day: '2026-03-02', counts: 0 }),
      counted({ day: '2026-03-02', device_id: 3 }),
      counted({ day: '2026-03-01' }),
      counted({ day: '2026-02-28' }),
      counted({ day: '2026-03-04' }),
    );
    const counts = { input: 1100, output: 10_000, cache_write: 100_000, cache_read: 1_000_000 };

    expect(records.signedUsage({ operator_id: 1, from: '2026-03-01', to: '2026-03-03' })).toEqual([
      { day: '2026-03-01', ...counts },
      { day: '2026-03-03', ...counts, cache_read: null },
    ]);
  });

  test('sums those of a day that report the same token types', () => {
    const records = withBuckets(
      ...['a', 'b'].map((model) => counted({ model })),
      ...['c', 'd'].map((model) => counted({ model, cache_write: null })),
      counted({ model: 'e', cache_read: null }),
    );
    const twice = { day: '2026-03-01', input: 2200, output: 20_000, cache_read: 2_000_000 };

    expect(
      new Set(records.signedUsage({ operator_id: 1, from: '2026-03-01', to: '2026-03-01' })),
    ).toEqual(
      new Set([
        { ...twice, cache_write: 200_000 },
        { ...twice, cache_write: null },
        { ...twice, input: 1100, output: 10_000, cache_write: 100_000, cache_read: null },
      ]),
    );
  });
});
