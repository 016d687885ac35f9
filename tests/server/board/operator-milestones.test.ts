import { describe, expect, test } from 'vitest';
import { type Milestone, milestoneName } from '#core/domain/board/milestone.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import {
  readMilestoneFeed,
  readMilestones,
  readyMilestones,
} from '#server/board/operator-milestones.ts';
import { findOperatorReview } from '#server/board/operator-review.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { milestoneEntry } from '#components/operator/milestone-words.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays, DAY_MS } from '#tests/support/board/builders.ts';
import {
  execute,
  publish,
  publishAndKeep,
  type TestContext,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const idOf = (ctx: TestContext, name: string) => ctx.store.operators.byCodename(name)?.id ?? 0;

const named = (milestones: readonly Milestone[]) =>
  milestones.map((one) => `${one.day} ${milestoneName(one).replace(/T.*/, '')}`);
const namesOf = (ctx: TestContext, codename = 'ada') => named(readMilestones(ctx, codename));

function passDays(ctx: TestContext, days: number): void {
  for (let day = 0; day < days; day += 1) {
    ctx.clock.nowMs += DAY_MS;
    publishAndKeep(ctx);
  }
}

/** Ada has 12 active days on 10 March, and 2 more on the days after. */
function aScene(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', bucketsOfDays(12, '2026-02-27', { output: 90_000 }));
  anActive(ctx, 'bob', bucketsOfDays(12, '2026-02-27'));
  publishAndKeep(ctx);
  anActive(ctx, 'ada', bucketsOfDays(2, '2026-03-11', { output: 90_000 }));
  passDays(ctx, 4);
  return ctx;
}

const ofKind = (names: readonly string[], kind: string) =>
  names.filter((name) => name.includes(` ${kind}`));

describe('readMilestones()', () => {
  test('has the first rank and the class, by day', () => {
    const names = namesOf(aScene());

    expect(ofKind(names, 'first rank')).toEqual(['2026-03-10 first rank']);
    expect(ofKind(names, 'class')).toEqual(['2026-03-12 class cataract']);
  });

  test('stays the same under a later minimum of stated days', () => {
    const ctx = aScene();
    const before = namesOf(ctx);
    anActive(ctx, 'ada', bucketsOfDays(1, '2026-01-01'));
    ctx.ruleset = { ...ctx.ruleset, id: '1-0123abcd', stated_days: 1 };
    publish(ctx);

    const isOld = (name: string) => name.includes('first rank') || name.includes('class');
    expect(namesOf(ctx).filter(isOld)).toEqual(before.filter(isOld));
  });

  test('stays the same when stored days lose their values, and in later updates', () => {
    const ctx = aScene();
    const before = namesOf(ctx);

    execute(ctx, 'UPDATE daily_publications SET thinned = 1; DELETE FROM day_values');
    passDays(ctx, 2);

    expect(namesOf(ctx)).toEqual(before);
  });

  test('has no rank and class of days on which the board did not rank the operator', () => {
    const ctx = aScene();
    anActive(ctx, 'bob', bucketsOfDays(40, '2026-01-01', { output: 90_000 }));
    publish(ctx);

    // The active days were long ago, but no board showed them.
    const names = namesOf(ctx, 'bob').filter((name) => !name.includes('record'));
    expect(names).toEqual([
      '2026-03-14 class cataract',
      '2026-03-10 first rank',
      '2026-01-30 active days 30',
    ]);
  });

  test('has records, also beaten ones, and the final rank of a challenge', () => {
    const ctx = testContext();
    const days = { first_day: '2026-03-11', last_day: '2026-03-12' };
    const request = { id: 'sprint', title: 'Sprint', description: '?', tool: null, ...days };
    const eligibility = { active_days: 1, effective_days: 1, output_tokens: 1 };
    createChallenge(
      ctx.store,
      { ...request, metric: 'leverage', eligibility },
      { ruleset: ctx.ruleset, now: ctx.now() },
    );
    anActive(ctx, 'ada', bucketsOfDays(14, '2026-02-27'));
    publishAndKeep(ctx);
    passDays(ctx, 3);
    anActive(ctx, 'bob', bucketsOfDays(14, '2026-02-27', { cache_read: 2_000_000 }));
    passDays(ctx, 3);

    const ada = readMilestones(ctx, 'ada');
    expect(ada.find(({ kind }) => kind === 'challenge')).toMatchObject({
      title: 'Sprint',
      rank: 2,
    });
    const records = ada.filter(({ kind }) => kind === 'records');
    expect(records).toMatchObject([
      { metrics: ['yield', 'leverage', 'velocity', 'snr', 'dev10x'] },
    ]);
    expect(readMilestones(ctx, 'bob').some(({ kind }) => kind === 'records')).toBe(true);
  });

  test('forgets a milestone whose counts are gone', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(30, '2026-02-01'));
    publish(ctx);
    expect(ofKind(namesOf(ctx), 'active')).toEqual(['2026-03-02 active days 30']);

    execute(ctx, "DELETE FROM buckets WHERE day = '2026-02-05'");
    ctx.store.operators.touch(idOf(ctx, 'ada'), 99);

    expect(ofKind(namesOf(ctx), 'active')).toEqual([]);
  });

  test('is the same when prepared in steps', async () => {
    const ctx = aScene();
    await readyMilestones(ctx, 'ada');

    expect(named(readMilestones(ctx, 'ada'))).toEqual(namesOf(aScene()));
  });

  test('refuses operators without a page', async () => {
    const ctx = aScene();
    await updateProfile(ctx, idOf(ctx, 'ada'), { privacy_mode: 'private' });
    await updateProfile(ctx, idOf(ctx, 'bob'), { privacy_mode: 'anonymous' });
    publish(ctx);

    for (const name of ['ada', 'bob', 'nobody', '<b>']) {
      const answer = readMilestoneFeed(ctx, name);
      await expect(answer).rejects.toThrow(refusal('not_found'));
    }
    expect(() => readMilestones(ctx, 'ada')).toThrow(refusal('not_found'));
  });
});

test('a review has the milestones of its time', async () => {
  const ctx = aScene();
  ctx.clock.nowMs += 20 * DAY_MS;
  publishAndKeep(ctx);
  const of = async (period: string) =>
    named((await findOperatorReview(ctx, 'ada', period)).sheet?.milestones ?? []);

  expect(await of('2026')).toEqual(namesOf(ctx));
  expect(ofKind(await of('2026-03'), 'first')).toEqual(['2026-03-10 first rank']);
  expect(await of('2026-02')).toEqual([]);
});

test('entries of the feed keep their names when the operator gets a new one', async () => {
  const ctx = aScene();
  const entries = async (codename: string) => {
    const { milestones, ...of } = await readMilestoneFeed(ctx, codename);
    return milestones.map((milestone) => milestoneEntry(milestone, of));
  };
  const before = await entries('ada');
  await setCodename(ctx, idOf(ctx, 'ada'), 'ada-two');
  publish(ctx);
  const after = await entries('ada-two');

  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  expect(after[0]?.title).toMatch(/^ada-two: /);
  expect(before.find(({ title }) => title.includes('class'))).toMatchObject({
    title: 'ada: New class: Cataract',
    html: '<p>ada, 12 Mar 2026: New class: Cataract.</p>',
    href: '/classes#cataract',
    updated: '2026-03-12T00:00:00.000Z',
  });
});
