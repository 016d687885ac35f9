import { expect, test, vi } from 'vitest';
import { signedDays } from '#server/publication/read/recent-days.ts';
import { boundedPage } from '#server/publication/read/bounded-page.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { testContext } from '#tests/support/board/context.ts';

test('the days of an account are added up once, until the account changes', () => {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays());
  const read = vi.spyOn(ctx.store.records, 'signedUsage');
  const days = (to = '2026-03-10') => {
    const operator = ctx.store.operators.byCodename('ada') ?? { id: 0, log_index: 0 };
    return signedDays(ctx, operator, { from: '', to }).read();
  };

  expect(days()).toHaveLength(10);
  expect(days()).toBe(days());
  expect(read).toHaveBeenCalledTimes(1);
  expect(days('2026-03-05').length).toBeLessThan(10);
  anActive(ctx, 'ada', tenDays({ model: 'other', output: 1 }));
  expect(days()[0]?.output).toBe(10_001);
  expect(read).toHaveBeenCalledTimes(3);
});

test('a page ends early if its entries would make a long response', () => {
  const all = Array.from({ length: 1000 }, (_, at) => 'x'.repeat(5_000) + String(at));
  const read = (limit: number) => ({ entries: all.slice(0, limit), next: limit });
  const both = (limit: number) => ({ ...read(limit), unranked: all.slice(0, limit) });

  expect(boundedPage(100, read).next).toBe(100);
  const { entries, next } = boundedPage(1000, read);
  expect([entries.length, next]).toEqual([159, 159]);
  expect(boundedPage(1000, both).next).toBe(79);
  expect(boundedPage(5, () => ({ entries: ['x'.repeat(900_000)] })).entries).toHaveLength(1);
});
