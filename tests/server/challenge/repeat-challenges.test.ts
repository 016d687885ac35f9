import { describe, expect, test } from 'vitest';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { repeatChallenges, repeatOf, stopRepeating } from '#server/challenge/repeat-challenges.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const at = (day: string) => new Date(`${day}T00:00:30Z`);

function aSeries(repeat: 'monthly' | 'weekly', first_day: string, last_day: string) {
  const ctx = testContext();
  const request = { id: 'sprint', title: 'Sprint', description: 'x', metric: 'yield', tool: null };
  const days = { first_day, last_day, eligibility: {} };
  const author = { ruleset: ctx.ruleset, now: at('2027-01-01') };
  createChallenge(ctx.store, { ...request, ...days, repeat }, author);
  const repeatOn = (day: string) =>
    repeatChallenges(ctx.store, { ruleset: ctx.ruleset, now: at(day) });
  return { ctx, repeatOn };
}

const daysOf = ({ store }: TestContext, id: string) => {
  const row = store.challenges.byId(id);
  return row && [row.first_day, row.last_day];
};

describe('repeatChallenges()', () => {
  test('creates the next challenge when one has ended, and exactly one', () => {
    const { ctx, repeatOn } = aSeries('weekly', '2027-01-04', '2027-01-10');

    const made = ['2027-01-05', '2027-01-10', '2027-01-11', '2027-01-11', '2027-01-12'].map(
      repeatOn,
    );

    expect(made).toEqual([[], [], ['sprint-20270111'], [], []]);
    expect(daysOf(ctx, 'sprint-20270111')).toEqual(['2027-01-11', '2027-01-17']);
    expect(repeatOn('2027-01-18')).toEqual(['sprint-20270118']);
    expect(ctx.store.challenges.all()).toHaveLength(3);
  });

  test('continues after the board did not run for weeks, without the periods that are over', () => {
    const { ctx, repeatOn } = aSeries('monthly', '2027-01-01', '2027-01-31');

    expect(repeatOn('2027-04-15')).toEqual(['sprint-20270401']);
    expect(daysOf(ctx, 'sprint-20270401')).toEqual(['2027-04-01', '2027-04-30']);
    expect(repeatOn('2027-04-30')).toEqual([]);
  });

  test('uses another ID if an admin has taken it, and continues after a canceled challenge', () => {
    const { ctx, repeatOn } = aSeries('weekly', '2027-01-04', '2027-01-10');
    const request = { title: 'x', description: 'x', metric: 'yield', tool: null, eligibility: {} };
    const days = { first_day: '2027-02-01', last_day: '2027-02-05' };
    const author = { ruleset: ctx.ruleset, now: at('2027-01-01') };
    createChallenge(ctx.store, { id: 'sprint-20270111', ...request, ...days }, author);
    cancelChallenge(ctx.store, { id: 'sprint', reason: 'x', now: at('2027-01-05') });

    expect(repeatOn('2027-01-11')).toEqual(['sprint-20270111-2']);
  });

  test('stops when an admin stops the series', () => {
    const { ctx, repeatOn } = aSeries('weekly', '2027-01-04', '2027-01-10');
    const row = () => ctx.store.challenges.byId('sprint') ?? { series: null };
    expect(repeatOf(ctx.store, row())).toBe('weekly');
    stopRepeating(ctx.store, { id: 'sprint', now: at('2027-01-05') });

    expect([repeatOf(ctx.store, row()), repeatOn('2027-01-11')]).toEqual([null, []]);
    expect(() => stopRepeating(ctx.store, { id: 'sprint', now: at('2027-01-05') })).toThrow(
      refusal('state_conflict') as Error,
    );
  });

  test('rejects days that would overlap', () => {
    expect(() => aSeries('weekly', '2027-01-04', '2027-01-11')).toThrow(
      refusal('validation_failed') as Error,
    );
  });
});
