import { describe, expect, test } from 'vitest';
import type { SitemapEntry } from '#core/domain/board/sitemap.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { readSitemap } from '#server/board/sitemap.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { aBoard, anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { type TestContext, publish, testContext } from '#tests/support/board/context.ts';

async function entriesOf(ctx: TestContext, from = 0, to = Infinity): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  for await (const piece of readSitemap(ctx).pieces(from, to)) entries.push(...piece);
  return entries;
}

const pathsOf = async (ctx: TestContext) => (await entriesOf(ctx)).map(({ path }) => path);

const operatorsIn = async (ctx: TestContext) =>
  (await pathsOf(ctx)).filter((path) => path.startsWith('/operators/'));

function seeAs(ctx: TestContext, codename: string, privacy_mode: 'anonymous' | 'private'): void {
  const { id } = ctx.store.operators.byCodename(codename) ?? { id: 0 };
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode }));
}

describe('readSitemap()', () => {
  test('has each fixed page once for an empty board', async () => {
    const ctx = testContext();
    publish(ctx);
    const paths = await pathsOf(ctx);

    expect(paths).toEqual(expect.arrayContaining(['/', '/methodology', '/science', '/privacy']));
    expect(paths).toEqual(expect.arrayContaining(['/metrics/snr', '/problems']));
    expect(paths.filter((path) => path.startsWith('/problems/'))).toEqual([]);
    expect(paths).toContain('/leaderboard/all_time/dev10x');
    expect(new Set(paths).size).toBe(paths.length);
    expect(readSitemap(ctx).total).toBe(paths.length);
    expect(await operatorsIn(ctx)).toEqual([]);
  });

  test('starts with boards, followed by operators and explanations', async () => {
    const paths = await pathsOf(aBoard(2));
    const last = (start: string) => paths.findLastIndex((path) => path.startsWith(start));
    const places = [last('/leaderboard/'), last('/operators/'), paths.indexOf('/methodology')];

    expect(paths[0]).toBe('/');
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(paths.findIndex((path) => path.startsWith('/operators/'))).toBe((places[0] ?? 0) + 1);
    expect(paths[(places[1] ?? 0) + 1]).toBe('/challenges');
  });

  test("has the front page's board only as the front page", async () => {
    const ctx = testContext();
    publish(ctx);
    expect(await pathsOf(ctx)).not.toContain('/leaderboard/30d/yield');

    for (let at = 0; at < 10; at += 1) anActive(ctx, `op-${at}`, tenDays({ tool: 'odd & tool?' }));
    publish(ctx, 2);
    const paths = await pathsOf(ctx);

    expect(paths).toContain('/leaderboard/30d/yield');
    expect(paths).not.toContain('/leaderboard/30d/yield?tool=odd+%26+tool%3F');
    expect(paths).toContain('/leaderboard/7d/snr?tool=odd+%26+tool%3F');
  });

  test('has only operators with a page, even before the next publication', async () => {
    const ctx = aBoard(6);
    expect(await operatorsIn(ctx)).toHaveLength(7);
    seeAs(ctx, 'op-1', 'anonymous');
    seeAs(ctx, 'op-2', 'private');
    hideOperator(ctx, { kind: 'hide', name: 'op-3', reason: 'spam all over' });
    deleteOperator(ctx, 'op-4');
    const open = ['/operators/op-0', '/operators/op-5', '/operators/unranked'];

    expect(await operatorsIn(ctx)).toEqual(open);
    publish(ctx, 2);
    expect(await operatorsIn(ctx)).toEqual(open);
    expect(JSON.stringify(await entriesOf(ctx))).not.toContain('anonymous-');
  });

  test('has the time of the last change: the last entry or day for boards, the last submission for operators', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', tenDays());
    const sent = ctx.now().toISOString();
    ctx.clock.nowMs += 60_000;
    anActive(ctx, 'bob', tenDays());
    const last = ctx.now().toISOString();
    ctx.clock.nowMs += 60_000;
    publish(ctx);
    const modified = async () =>
      Object.fromEntries((await entriesOf(ctx)).map((entry) => [entry.path, entry.modified]));

    expect(await modified()).toMatchObject({
      '/': last,
      '/operators/ada': sent,
      '/operators/bob': last,
      '/science': null,
    });
    anActive(ctx, 'ada', tenDays());
    expect(await modified()).toMatchObject({ '/': last, '/operators/ada': null });
    ctx.clock.nowMs = Date.parse('2026-03-12T09:00:00Z');
    publish(ctx, 2);
    expect((await modified())['/']).toBe('2026-03-12T00:00:00.000Z');
  });

  test('is the same for any chunk size', async () => {
    const ctx = aBoard(5);
    const whole = await entriesOf(ctx);
    const parts: SitemapEntry[] = [];
    for (let at = 0; at < whole.length; at += 7) parts.push(...(await entriesOf(ctx, at, at + 7)));

    expect(parts).toEqual(whole);
  });
});
