import { describe, expect, test } from 'vitest';
import {
  type MilestoneFacts,
  milestoneName,
  milestonesOf,
  rankingYield,
} from '#core/domain/board/milestone.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import type { ClassTier } from '#core/schema/board.ts';

/** Consecutive days with these tokens, from 1 January 2026 on. */
const daysWith = (tokens: readonly number[]): MilestoneFacts['days'] =>
  tokens.map((total, at) => ({
    first: dayNumber('2026-01-01') + at,
    totals: { input: total, output: 0, cache_write: null, cache_read: null, total },
  }));

const of = (over: Partial<MilestoneFacts>) =>
  milestonesOf({
    days: [],
    activeDayTokens: 10,
    ranks: [],
    classes: [],
    records: [],
    challenges: [],
    ...over,
  });

const told = (over: Partial<MilestoneFacts>) =>
  of(over).map((milestone) => `${milestone.day} ${milestoneName(milestone)}`);

describe('milestonesOf()', () => {
  test('is empty without facts', () => {
    expect(of({})).toEqual([]);
  });

  test('has the first day with a rank, whatever follows', () => {
    const ranks = [null, 12, null, 3].map((rank, at) => ({ day: `2026-01-0${at + 1}`, rank }));

    expect(of({ ranks })).toEqual([{ kind: 'first_rank', day: '2026-01-02', rank: 12 }]);
    expect(of({ ranks: ranks.slice(0, 1) })).toEqual([]);
  });

  test('has the day that completes a number of active days', () => {
    const few = Array<number>(29).fill(10);

    expect(of({ days: daysWith([...few, 9]) })).toEqual([]);
    expect(of({ days: daysWith([5, ...few, 9, 10, 10]) })).toEqual([
      { kind: 'active_days', day: '2026-02-01', days: 30 },
    ]);
    expect(told({ days: daysWith(Array<number>(400).fill(10)) })).toEqual([
      '2026-12-31 active days 365',
      '2026-04-10 active days 100',
      '2026-01-30 active days 30',
    ]);
  });

  test('has each class that is higher than all before', () => {
    const tiers = ['unclassed', 'river', 'brook', 'river', 'unclassed', 'falls', 'rapids'] as const;
    const classes = tiers.map((class_tier, at) => ({ day: `2026-01-0${at + 1}`, class_tier }));

    expect(told({ classes })).toEqual(['2026-01-06 class falls', '2026-01-02 class river']);
  });

  test('counts the lowest class as a class', () => {
    const classes = [{ day: '2026-01-01', class_tier: 'rill' as ClassTier }];

    expect(told({ classes })).toEqual(['2026-01-01 class rill']);
  });

  test('puts records of the same board together', () => {
    const [first, second] = ['2026-01-05T10:00:00.000Z', '2026-01-05T10:05:00.000Z'];
    const records = [
      { metric: 'yield', achieved_at: first },
      { metric: 'velocity', achieved_at: second },
      { metric: 'leverage', achieved_at: first },
    ] as const;

    expect(of({ records })).toEqual([
      { kind: 'records', day: '2026-01-05', achieved_at: first, metrics: ['yield', 'leverage'] },
      { kind: 'records', day: '2026-01-05', achieved_at: second, metrics: ['velocity'] },
    ]);
  });

  test('has final standings, and the newest first', () => {
    const challenge = { id: 'march', title: 'March', day: '2026-04-02', rank: 3, total: 12 };
    const ranks = [{ day: '2026-05-01', rank: 1 }];
    const classes = [{ day: '2026-05-02', class_tier: 'rill' as ClassTier }];

    expect(told({ ranks, classes, challenges: [challenge] })).toEqual([
      '2026-05-02 class rill',
      '2026-05-01 first rank',
      '2026-04-02 challenge march',
    ]);
    expect(of({ challenges: [challenge] })).toEqual([{ kind: 'challenge', ...challenge }]);
  });

  test('gives every milestone its own name', () => {
    const names = of({
      days: daysWith(Array<number>(1000).fill(10)),
      ranks: [{ day: '2026-05-01', rank: 1 }],
      classes: [
        { day: '2026-05-01', class_tier: 'rill' },
        { day: '2026-05-02', class_tier: 'ocean' },
      ],
      records: [{ metric: 'yield', achieved_at: '2026-01-05T10:00:00.000Z' }],
      challenges: ['a', 'b'].map((id) => ({ id, title: id, day: '2026-04-02', rank: 1, total: 1 })),
    }).map(milestoneName);

    expect(names).toHaveLength(10);
    expect(new Set(names).size).toBe(names.length);
  });
});

test('rankingYield() is null for a day on which the days before do not suffice', () => {
  const series = seriesOf(
    daysWith(Array<number>(7).fill(0)).map(({ first: day }) => {
      return { day, input: 10_000, output: 20_000, cache_write: 0, cache_read: 400_000 };
    }),
  );
  const on = (day: string) => rankingYield(series, '30d', dayNumber(day), RULESET);

  expect(on('2026-01-06')).toBeNull();
  expect(on('2026-01-07')).toBe(80);
  expect(on('2026-02-20')).toBeNull();
});
