import { describe, expect, test } from 'vitest';
import { ChallengeQuery } from '#core/contract/challenges.ts';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import type { Publication } from '#server/publication/read/publication.ts';
import { readBoardPage } from '#server/board/board-page.ts';
import { readChallenge } from '#server/challenge/challenges.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { changeVisibility, type VisibilityChange } from '#server/operator/visibility.ts';
import { anActive, deleteOperator } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, testContext } from '#tests/support/board/context.ts';
import { MARCH, addMarchChallenge } from '#tests/support/board/march-challenge.ts';
import { aPublisher, publishThrough } from '#tests/support/board/publisher.ts';

const HIDDEN = 'op-2';

/** Seven ranked operators, op-0 first. One of them will be hidden. */
async function aPublishedBoard(ctx = testContext(), first = '2026-02-01') {
  for (let at = 0; at < 7; at += 1) {
    anActive(ctx, `op-${at}`, bucketsOfDays(30, first, { output: 90_000 - 10_000 * at }));
  }
  anActive(ctx, 'unranked', bucketsOfDays(1, '2026-03-09'));
  const publisher = aPublisher(ctx);
  await publishThrough(ctx, publisher);
  return { ctx, publisher };
}

/** A board whose operators all take part in a challenge. */
async function aChallenge() {
  const ctx = testContext();
  addMarchChallenge(ctx);
  ctx.clock.nowMs = Date.parse('2026-03-22T10:00:00.000Z');
  return aPublishedBoard(ctx, '2026-03-12');
}

async function change(ctx: TestContext, codename: string, change: VisibilityChange) {
  const id = ctx.store.operators.byCodename(codename)?.id ?? 0;
  ctx.store.transaction(() => changeVisibility(ctx, id, change));
  await ctx.publications.publishNow({ hides: true });
}

const hide = (ctx: TestContext) => change(ctx, HIDDEN, { privacy_mode: 'private' });

const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));

const placesOf = ({ entries }: ReturnType<typeof read>) =>
  entries.map(({ codename, rank }) => `${rank} ${codename}`);

const kept = (ctx: TestContext, id: number) => ctx.publications.byId(id) as Publication;

describe("a cursor's publication, after an operator was hidden", () => {
  test.each([
    ['before', '2', ['4 op-3', '5 op-4']],
    ['after', '1', ['2 op-1', '4 op-3', '5 op-4']],
  ])('continues with everyone else, the place %s the cursor empty', async (_, first, expected) => {
    const { ctx } = await aPublishedBoard();
    const { next_cursor, log_index } = read(ctx, { limit: first });
    const cursor = next_cursor ?? '';
    await hide(ctx);

    const rest = read(ctx, { cursor, limit: String(expected.length) });

    expect(placesOf(rest)).toEqual(expected);
    expect(rest).toMatchObject({ total: 6, log_index });
    const last = read(ctx, { cursor: rest.next_cursor ?? '', limit: '100' });
    expect(placesOf(last)).toEqual(['6 op-5', '7 op-6']);
    expect(last.next_cursor).toBeNull();
    expect(placesOf(read(ctx, { limit: '3' }))).toEqual(['1 op-0', '2 op-1', '3 op-3']);
  });

  test('does not contain the hidden operator anywhere', async () => {
    const { ctx } = await aPublishedBoard();
    const { id } = ctx.publications.current() as Publication;
    expect(kept(ctx, id).peers().indexOf(HIDDEN)).not.toBeNull();
    const class_tier = kept(ctx, id).operators.classOf(HIDDEN);
    await hide(ctx);

    const publication = kept(ctx, id);
    const board = publication.window('30d');
    const everything = {
      found: board.find('yield', HIDDEN),
      detail: board.detail(HIDDEN),
      position: publication.operators.positionOf(HIDDEN),
      peer: publication.peers().indexOf(HIDDEN),
      held: publication.records.heldBy(HIDDEN),
    };
    expect(everything).toEqual({ found: null, detail: null, position: null, peer: null, held: [] });
    expect(board.detail('op-3')?.places.yield).toMatchObject({ rank: 4, total: 6 });
    expect(board.medians('yield').n).toBe(6);
    expect(board.distribution('yield')?.total).toBe(6);
    expect(publication.peers().field.size).toBe(6);
    const lists = [
      board.ranked('yield', { from: 0, limit: 100 }),
      board.unranked('yield', { from: 0, limit: 100 }),
      publication.records.of('yield'),
      publication
        .window('30d', undefined, { class_tier, cohort: null })
        .ranked('yield', { from: 0, limit: 100 }),
    ];
    expect(JSON.stringify(lists)).not.toContain(HIDDEN);
  });

  test('does not find the operator by search', async () => {
    const { ctx } = await aPublishedBoard();
    const cursor = read(ctx, { q: 'op-', limit: '1' }).next_cursor ?? '';
    await hide(ctx);

    const rest = read(ctx, { q: 'op-', limit: '100', cursor });

    expect(placesOf(rest)).toEqual(['2 op-1', '4 op-3', '5 op-4', '6 op-5', '7 op-6']);
    expect(rest.total).toBe(6);
  });

  test('leaves its place in a challenge empty', async () => {
    const { ctx } = await aChallenge();
    const read = (query: object) => readChallenge(ctx, MARCH, ChallengeQuery.parse(query));
    const { total, next_cursor } = read({ limit: '1' });
    expect(total).toBe(7);
    await hide(ctx);

    const rest = read({ cursor: next_cursor ?? '', limit: '3' });

    expect(rest.total).toBe(6);
    expect(rest.entries.map(({ place, codename }) => [place, codename])).toEqual([
      [2, 'op-1'],
      [4, 'op-3'],
    ]);
    expect(read({ cursor: rest.next_cursor ?? '', limit: '9' }).entries).toHaveLength(3);
  });

  test('does not count it among the unranked participants of a challenge', async () => {
    const { ctx, publisher } = await aChallenge();
    anActive(ctx, 'one-day', bucketsOfDays(1, '2026-03-12'));
    await publisher.publish();
    const read = (query: object) => readChallenge(ctx, MARCH, ChallengeQuery.parse(query));
    const { unranked_total, next_cursor } = read({ limit: '7' });
    expect(unranked_total).toBe(1);
    await change(ctx, 'one-day', { privacy_mode: 'private' });

    expect(read({ cursor: next_cursor ?? '', limit: '9' })).toMatchObject({
      unranked_total: 0,
      unranked: [],
      next_cursor: null,
    });
  });

  test.each<[string, VisibilityChange]>([
    ['becomes anonymous', { privacy_mode: 'anonymous' }],
    ['has another codename', { codename: 'somebody-else' }],
    ['stays out of medians', { data_opt_out: 1 }],
  ])('leaves out operators who %s', async (_, asked) => {
    const { ctx } = await aPublishedBoard();
    const { id } = ctx.publications.current() as Publication;

    await change(ctx, HIDDEN, asked);

    expect(kept(ctx, id).window('30d').find('yield', HIDDEN)).toBeNull();
    expect(kept(ctx, id).window('30d').total('yield')).toBe(6);
    expect(ctx.publications.current()?.window('30d').total('yield')).toBe(7);
  });

  test('leaves out deleted operators, and those who come back', async () => {
    const { ctx } = await aPublishedBoard();
    const { id } = ctx.publications.current() as Publication;
    await hide(ctx);
    await change(ctx, HIDDEN, { privacy_mode: 'pseudonymous' });
    deleteOperator(ctx, 'op-5');
    await ctx.publications.publishNow({ hides: true });

    const { entries } = kept(ctx, id).window('30d').ranked('yield', { from: 0, limit: 100 });

    expect(entries.map(({ codename }) => codename)).toEqual(
      [0, 1, 3, 4, 6].map((at) => `op-${at}`),
    );
  });

  test('applies to pages as well', async () => {
    const { ctx } = await aPublishedBoard();
    const board = { window: '30d', metric: 'yield' } as const;
    const after = read(ctx, { limit: '2' }).next_cursor ?? '';
    await hide(ctx);

    const page = readBoardPage(ctx, board, new URLSearchParams({ after }));

    expect(page).toMatchObject({ sheet: { total: 6 }, distribution: { total: 6 } });
    expect(JSON.stringify(page)).not.toContain(HIDDEN);
  });
});

test('a hidden operator is left out of stored publications after a restart', async () => {
  const { ctx, publisher } = await aPublishedBoard();
  const cursor = read(ctx, { limit: '1' }).next_cursor ?? '';
  anActive(ctx, 'new', bucketsOfDays(30, '2026-02-01'));
  await publisher.publish();
  await publisher.close();
  await publishThrough(ctx, aPublisher(ctx));
  expect(read(ctx, { cursor }).total).toBe(7);

  await hide(ctx);

  const { total, entries } = read(ctx, { cursor, limit: '2' });
  expect(total).toBe(6);
  expect(entries.map(({ codename }) => codename)).toEqual(['op-1', 'op-3']);
});

test('hiding again and again invalidates no cursor', async () => {
  const { ctx } = await aPublishedBoard();
  const { next_cursor } = read(ctx, { limit: '4' });
  const cursor = next_cursor ?? '';

  for (let times = 0; times < 4; times += 1) {
    await hide(ctx);
    await change(ctx, HIDDEN, { privacy_mode: 'pseudonymous' });
  }
  await hide(ctx);

  expect(placesOf(read(ctx, { cursor }))).toEqual(['5 op-4', '6 op-5', '7 op-6']);
});
