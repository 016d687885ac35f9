import { describe, expect, test } from 'vitest';
import { statedDays } from '#core/domain/board/stated-days.ts';
import type { ChangedDay } from '#core/domain/counting/changed-day.ts';
import { dayNumber } from '#core/domain/counting/day.ts';

/** The days of March 2026 by number. */
const at = (date: number) => dayNumber('2026-03-01') + date - 1;

interface Days {
  tokens?: Record<number, number>;
  covered?: [from: number, to: number][];
  changed?: Record<number, ChangedDay>;
  changesKnownFrom?: number;
}

/** What is stated about 1 to 10 March, or from another day on. */
function stated(
  { tokens = {}, covered = [], changed = {}, changesKnownFrom = 1 }: Days,
  first = 1,
) {
  const byDay = <Value>(values: Record<number, Value>) =>
    new Map(Object.entries(values).map(([date, value]) => [at(Number(date)), value]));
  return statedDays(
    { first: Number.isFinite(first) ? at(first) : first, last: at(10) },
    {
      tokens: byDay(tokens),
      covered: covered.map(([from, to]) => [at(from), at(to)] as const),
      changed: byDay(changed),
      changesKnownFrom: at(changesKnownFrom),
    },
  );
}

describe('statedDays()', () => {
  test('tells stated days without tokens from days that nobody stated', () => {
    const tokens = { 2: 100, 3: 100, 8: 100 };
    expect(stated({ tokens, covered: [[2, 5]] })).toEqual({
      first_day: '2026-03-02',
      last_day: '2026-03-08',
      with_tokens: 3,
      without_tokens: 2,
      not_stated: 2,
      in_time: 1,
      lowered: 0,
    });
  });

  test('takes a day as stated if any of overlapping spans has it', () => {
    const covered: Days['covered'] = [
      [1, 4],
      [3, 6],
      [6, 6],
    ];
    expect(stated({ tokens: { 1: 1, 8: 1 }, covered })).toMatchObject({
      without_tokens: 5,
      not_stated: 1,
    });
  });

  test('ends with the last day that has tokens or was stated, because later days may follow', () => {
    expect(stated({ tokens: { 2: 1, 7: 1 } })).toMatchObject({
      last_day: '2026-03-07',
      not_stated: 4,
    });
    expect(stated({ tokens: { 7: 1 }, covered: [[7, 9]] })).toMatchObject({
      last_day: '2026-03-09',
      without_tokens: 2,
    });
    expect(stated({ tokens: { 7: 1 }, covered: [[8, 14]] })).toMatchObject({
      last_day: '2026-03-10',
    });
  });

  test('begins with the window if the operator began before it, and at any time with the operator', () => {
    const days = { tokens: { 2: 1, 9: 1 }, covered: [[3, 8]] as [number, number][] };
    expect(stated(days, 5)).toMatchObject({
      first_day: '2026-03-05',
      with_tokens: 1,
      without_tokens: 4,
    });
    expect(stated(days, Number.NEGATIVE_INFINITY)).toMatchObject({ first_day: '2026-03-02' });
  });

  test('is null for operators who stated nothing in or before the window', () => {
    expect(stated({})).toBeNull();
    expect(stated({ tokens: { 5: 0 } })).toBeNull();
    expect(stated({ covered: [[11, 12]] })).toBeNull();
  });

  test('says which share of the tokens was stated in time, of the days that are known', () => {
    const tokens = { 2: 100, 3: 300, 4: 600 };
    const changed: Days['changed'] = {
      3: { in_time: 150, is_lowered: 0 },
      4: { in_time: 900, is_lowered: 1 },
    };
    expect(stated({ tokens, changed })).toMatchObject({ in_time: 0.85, lowered: 1 });
    expect(stated({ tokens, changed, changesKnownFrom: 3 })?.in_time).toBeCloseTo(750 / 900, 12);
    expect(stated({ tokens, changed, changesKnownFrom: 5 })?.in_time).toBeNull();
  });

  test('counts a lowered day that has no tokens any more', () => {
    const changed: Days['changed'] = { 5: { in_time: 100, is_lowered: 1 } };
    expect(stated({ tokens: { 2: 1 }, changed })).toMatchObject({
      last_day: '2026-03-05',
      with_tokens: 1,
      not_stated: 3,
      lowered: 1,
    });
  });
});
