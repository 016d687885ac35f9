import { describe, expect, test } from 'vitest';
import { type FeedItem, feedItemName } from '#core/domain/board/feed-item.ts';
import { cancelChallenge } from '#server/challenge/cancel-challenge.ts';
import { createChallenge } from '#server/challenge/create-challenge.ts';
import { readChallengeFeed, readFeed } from '#server/board/feed.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const itemsOf = async (ctx: TestContext) => (await readFeed(ctx)).items;

const daysIn = async (ctx: TestContext) =>
  (await itemsOf(ctx)).filter((item) => item.kind === 'day');

async function namesOf(ctx: TestContext): Promise<string[]> {
  return (await itemsOf(ctx)).map(feedItemName);
}

const ofKind = (items: readonly FeedItem[], kind: FeedItem['kind']) =>
  items.filter((item) => item.kind === kind);

function ranksIn(items: readonly FeedItem[]) {
  return items.flatMap((item) => {
    if (item.kind !== 'day') return [];
    return [item.entries.map(({ rank, codename }) => `${rank} ${codename}`)];
  });
}

function seeAs(
  ctx: TestContext,
  codename: string,
  privacy_mode: 'anonymous' | 'identified' | 'private',
): void {
  const { id } = ctx.store.operators.byCodename(codename) ?? { id: 0 };
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));
}

/** Publishes the given number of days in sequence. */
function passDays(ctx: TestContext, days: number): void {
  for (let day = 0; day < days; day += 1) {
    ctx.clock.nowMs += DAY_MS;
    publishAndKeep(ctx);
  }
}

/** Operators, the best first, published on a past day. */
function aBoardOf(names: readonly string[]): TestContext {
  const ctx = testContext();
  names.forEach((name, at) => anActive(ctx, name, tenDays({ output: 90_000 - 1000 * at })));
  publishAndKeep(ctx);
  passDays(ctx, 1);
  return ctx;
}

/** Announces a challenge that begins today, or on other days. */
function announce(
  ctx: TestContext,
  title: string,
  { first_day = ctx.now().toISOString().slice(0, 10), last_day = '2026-03-12' } = {},
): string {
  const days = { first_day, last_day };
  const request = { id: null, title, description: 'Who?', tool: null, ...days, eligibility: {} };
  const terms = { ruleset: ctx.ruleset, now: ctx.now() };
  return createChallenge(ctx.store, { ...request, metric: 'leverage' }, terms);
}

describe('readFeed()', () => {
  test('is empty for an empty board', async () => {
    const ctx = testContext();
    const { generated_at } = publishAndKeep(ctx);

    expect(await readFeed(ctx)).toEqual({ updated: generated_at, items: [], tools: [] });
  });

  test('has the front board of each past day, as published then', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', tenDays({ output: 90_000 }));
    anActive(ctx, 'bob', tenDays({ output: 80_000 }));
    const { generated_at } = publishAndKeep(ctx);
    expect(await daysIn(ctx)).toEqual([]);
    passDays(ctx, 1);
    anActive(ctx, 'bob', tenDays({ output: 990_000, model: 'new' }));
    publishAndKeep(ctx);
    passDays(ctx, 1);

    const { updated, tools } = await readFeed(ctx);
    const items = await daysIn(ctx);

    expect(items.map(feedItemName)).toEqual(['day 2026-03-11', 'day 2026-03-10']);
    expect(ranksIn(items)).toEqual([
      ['1 bob', '2 ada'],
      ['1 ada', '2 bob'],
    ]);
    expect(items[1]).toMatchObject({ at: generated_at, tool: null, metric: 'yield' });
    expect(updated).toBe((await itemsOf(ctx))[0]?.at);
    expect(tools).toEqual(['claude-code']);
  });

  test('uses the tool with the most ranked operators of that day', async () => {
    const named = (prefix: string, total: number) =>
      Array.from({ length: total }, (_, at) => `${prefix}-${at}`);
    const ctx = aBoardOf(named('claude', 10));
    named('codex', 11).forEach((name) => anActive(ctx, name, tenDays({ tool: 'codex' })));
    publishAndKeep(ctx);
    passDays(ctx, 1);

    const tools = (await daysIn(ctx)).map(({ tool }) => tool);
    expect(tools).toEqual(['codex', 'claude-code']);
  });

  test('shows only what is public now', async () => {
    const ctx = aBoardOf(['ada', 'bob', 'cat', 'dan']);
    ctx.store.operators.setProfile(ctx.store.operators.byCodename('bob')?.id ?? 0, {
      ...{ bio: null, cohort_id: null, links: '[]', location: null },
      display_name: 'Bob the <b>',
    });
    expect(ranksIn(await itemsOf(ctx))).toEqual([['1 ada', '2 bob', '3 cat', '4 dan']]);
    seeAs(ctx, 'ada', 'private');
    seeAs(ctx, 'bob', 'identified');
    seeAs(ctx, 'cat', 'anonymous');
    deleteOperator(ctx, 'dan');

    const [item] = await daysIn(ctx);

    expect(item).toMatchObject({
      entries: [
        { rank: 2, codename: 'bob', display_name: 'Bob the <b>' },
        { rank: 3, codename: expect.stringMatching(/^anonymous-/) as string, display_name: null },
      ],
    });
    seeAs(ctx, 'bob', 'private');
    seeAs(ctx, 'cat', 'private');
    expect(await daysIn(ctx)).toEqual([]);
  });

  test('has ten rows, and the next operators replace deleted ones', async () => {
    const names = Array.from({ length: 13 }, (_, at) => `op-${String(at).padStart(2, '0')}`);
    const ctx = aBoardOf(names);
    seeAs(ctx, 'op-03', 'private');
    const [ranks = []] = ranksIn(await itemsOf(ctx));

    expect(ranks).toHaveLength(10);
    expect(ranks.slice(2, 4)).toEqual(['3 op-02', '5 op-04']);
    expect(ranks.at(-1)).toBe('11 op-10');
  });

  test('covers the last fourteen days', async () => {
    const ctx = testContext();
    const usage = bucketsOfDays(10, '2026-03-01', { output: 10_000 });
    anActive(ctx, 'ada', usage);
    publishAndKeep(ctx);
    passDays(ctx, 16);

    const names = (await daysIn(ctx)).map(feedItemName);
    expect(names).toHaveLength(14);
    expect([names[0], names.at(-1)]).toEqual(['day 2026-03-25', 'day 2026-03-12']);
  });

  test('has the events of a challenge, with its title', async () => {
    const ctx = testContext();
    publishAndKeep(ctx);
    announce(ctx, 'One');
    ctx.clock.nowMs += 1000;
    announce(ctx, 'Two');
    ctx.clock.nowMs += 1000;
    cancelChallenge(ctx.store, { id: 'two', reason: 'A mistake', now: ctx.now() });
    passDays(ctx, 6);
    const items = await itemsOf(ctx);

    expect(items.map(feedItemName)).toEqual([
      'challenge one over',
      'challenge two cancelled',
      'challenge two announced',
      'challenge one announced',
    ]);
    expect(items[1]).toMatchObject({ title: 'Two', cancelled_reason: 'A mistake' });
  });

  test('of one challenge has its events, and the standings of the day while it runs', () => {
    const ctx = testContext();
    publishAndKeep(ctx);
    const namesNow = (id: string) => readChallengeFeed(ctx, id).items.map(feedItemName);
    announce(ctx, 'Today');
    announce(ctx, 'Later', { first_day: '2026-03-11', last_day: '2026-03-12' });

    expect(namesNow('today')).toEqual(['challenge today announced']);
    expect(namesNow('later')).toEqual(['challenge later announced']);
    passDays(ctx, 1);
    expect(namesNow('later')).toEqual(['challenge later began', 'challenge later announced']);
    expect(namesNow('today')).toEqual(['challenge today announced']);
    passDays(ctx, 2);
    expect(namesNow('today')[0]).toBe('challenge today ended');
    passDays(ctx, 3);
    expect(namesNow('today')[0]).toBe('challenge today over');
    const { updated } = readChallengeFeed(ctx, 'today');
    expect(updated).toBe(ctx.store.challenges.byId('today')?.frozen_at);
    expect(() => readChallengeFeed(ctx, 'none')).toThrow('There is no challenge none');
  });

  test('of one challenge names leaders who are public', () => {
    const ctx = testContext();
    announce(ctx, 'Ten', { first_day: '2026-03-10', last_day: '2026-03-25' });
    anActive(ctx, 'ada', bucketsOfDays(10, '2026-03-10', { output: 50_000 }));
    passDays(ctx, 10);
    const standings = () => ofKind(readChallengeFeed(ctx, 'ten').items, 'standings');

    expect(standings()).toMatchObject([{ day: '2026-03-20', entries: [{ codename: 'ada' }] }]);
    seeAs(ctx, 'ada', 'private');
    publishAndKeep(ctx);
    expect(standings()).toEqual([]);
  });

  test('has new records, grouped by publication, without those beaten in the same one', async () => {
    const ctx = testContext();
    publishAndKeep(ctx);
    for (const [name, output] of [
      ['ada', 50_000],
      ['bob', 90_000],
    ] as const) {
      await submit(ctx, await anEnrolledDevice(ctx, name), tenDays({ output }));
    }
    ctx.clock.nowMs += 1000;
    publishAndKeep(ctx);
    const items = ofKind(await itemsOf(ctx), 'records');

    expect(items).toHaveLength(1);
    const [item] = items;
    const records = item?.kind === 'records' ? item.records : [];
    expect(records.filter(({ metric }) => metric === 'yield')).toMatchObject([{ codename: 'bob' }]);
    expect(records.length).toBeGreaterThan(1);
    expect(JSON.stringify(records)).not.toContain('submission');
    seeAs(ctx, 'bob', 'private');
    publishAndKeep(ctx);
    expect(JSON.stringify(await itemsOf(ctx))).not.toContain('bob');
  });

  test('has at most the newest forty items', async () => {
    const ctx = aBoardOf(['ada']);
    for (let at = 0; at < 45; at += 1) {
      ctx.clock.nowMs += 1000;
      announce(ctx, `Challenge ${at}`);
    }
    const names = await namesOf(ctx);

    expect(names).toHaveLength(40);
    expect(names[0]).toBe('challenge challenge-44 announced');
    expect(names).not.toContain('day 2026-03-10');
  });
});
