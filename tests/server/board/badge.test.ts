import { describe, expect, test } from 'vitest';
import { giveUpCodename } from '#server/operator/codenames.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readBadge, readSmallBoard } from '#server/board/badge.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anOperator,
  publish,
  testContext,
} from '#tests/support/board/context.ts';

/** Three ranked operators, ada second of all and first by codex, and one unranked. */
function aScene() {
  const ctx = testContext();
  anActive(ctx, 'first', tenDays({ output: 20_000 }));
  anActive(ctx, 'ada', tenDays({ output: 10_000, tool: 'codex' }));
  anActive(ctx, 'third', tenDays({ output: 8_000, tool: 'codex' }));
  anActive(ctx, 'fresh', bucketsOfDays(1, '2026-03-09'));
  publish(ctx);
  const badge = (codename: string, query = '') =>
    readBadge(ctx, codename, new URLSearchParams(query));
  return { ctx, badge, idOf: (codename: string) => idOf(ctx, codename) };
}

function idOf(ctx: TestContext, codename: string): number {
  return ctx.store.operators.byCodename(codename)?.id ?? 0;
}

describe('readSmallBoard()', () => {
  const small = (ctx: TestContext, query = '') => {
    const { entries, ...board } = readSmallBoard(ctx, new URLSearchParams(query));
    return { ...board, names: entries.map(({ codename }) => codename) };
  };

  test('has the first ranks of the front page, or of the requested board', () => {
    const { ctx } = aScene();
    const front = small(ctx);

    expect(front).toMatchObject({ window: '30d', metric: 'yield', tool: null, total: 3 });
    expect(front.names).toEqual(['first', 'ada', 'third']);
    expect(small(ctx, 'rows=1').names).toEqual(['first']);
    const ofTool = small(ctx, 'window=7d&metric=leverage&tool=codex');
    expect(ofTool).toMatchObject({ window: '7d', metric: 'leverage', tool: 'codex', total: 2 });
  });

  test('uses defaults for unknown parameters', () => {
    const { ctx } = aScene();
    const asked = ['window=1d&metric=wealth&tool=hammer', 'rows=0', 'rows=11', 'rows=1.5', 'tool='];
    for (const query of asked) expect(small(ctx, query)).toEqual(small(ctx));
  });

  test('has no operator who is private or hidden', async () => {
    const { ctx, idOf } = aScene();
    ctx.publications.publishNow = () => Promise.resolve();
    await updateProfile(ctx, idOf('ada'), { privacy_mode: 'private' });
    hideOperator(ctx, { kind: 'hide', name: 'first', reason: 'A test' });
    publish(ctx, 2);

    expect(small(ctx).names).toEqual(['third']);
  });
});

describe('readBadge()', () => {
  test('has rank and value on the requested board', () => {
    const { ctx, badge } = aScene();
    const entry = ctx.publications.current()?.window('30d').find('yield', 'ada');
    const { conservative, interval } = entry ?? {};

    expect(badge('ada', 'tool=')).toEqual({
      codename: 'ada',
      metric: 'yield',
      window: '30d',
      tool: null,
      tier: entry?.class_tier,
      standing: { rank: 2, total: 3, conservative, interval },
    });
    expect(badge('ada', 'metric=leverage&window=7d&tool=codex')).toMatchObject({
      metric: 'leverage',
      window: '7d',
      tool: 'codex',
      standing: { total: 2 },
    });
    expect(badge('ada', 'tool=codex').standing).toMatchObject({ rank: 1, total: 2 });
  });

  test("uses the operator's most used tool by default", () => {
    const { badge } = aScene();
    expect(badge('ada')).toEqual(badge('ada', 'tool=codex'));
    expect(badge('third')).toMatchObject({ tool: 'codex', standing: { rank: 2, total: 2 } });
    // No one else uses that tool, so it has no board: all tools are used instead.
    expect(badge('nobody')).toMatchObject({ tool: null, standing: 'unlisted' });
  });

  test('uses defaults for unknown parameters', () => {
    const { badge } = aScene();
    const asked = 'metric=wealth&window=1d&tool=hammer&metric=snr&nothing=here';
    expect(badge('ada', asked)).toEqual(badge('ada'));
    expect(badge('ada', 'metric=&window=')).toEqual(badge('ada'));
  });

  test('says that an operator is not ranked, and on which board', () => {
    const { badge } = aScene();
    expect(badge('fresh').standing).toBe('unranked');
    // Without tokens from that tool there is no row.
    expect(badge('first', 'tool=codex').standing).toBe('unranked');
  });

  test('shows no operator without a page, as soon as the page is gone', async () => {
    const { ctx, badge, idOf } = aScene();
    ctx.publications.publishNow = () => Promise.resolve();
    await updateProfile(ctx, idOf('ada'), { privacy_mode: 'private' });
    hideOperator(ctx, { kind: 'hide', name: 'first', reason: 'A test' });
    await updateProfile(ctx, idOf('third'), { privacy_mode: 'anonymous' });
    const alias = ctx.store.operators.byCodename('third')?.public_name ?? '';
    anOperator(ctx, 'silent');
    deleteOperator(ctx, 'fresh');

    const names = ['ada', 'first', 'third', alias, 'silent', 'fresh', 'nobody', '', 'ADA', '../x'];
    const standings = names.map((name) => [name, badge(name).standing]);

    expect(alias).toMatch(/^anonymous-/);
    expect(standings).toEqual(names.map((name) => [name, 'unlisted']));
    publish(ctx, 2);
    expect(names.map((name) => [name, badge(name).standing])).toEqual(standings);
  });

  test('follows a former codename while it redirects', () => {
    const { ctx, badge, idOf } = aScene();
    giveUpCodename(ctx, 'old-ada', idOf('ada'));
    expect(badge('old-ada')).toEqual(badge('ada'));
    ctx.clock.nowMs += 91 * 24 * 60 * 60 * 1000;
    expect(badge('old-ada').standing).toBe('unlisted');
  });

  test('reports that nothing is published', () => {
    const { ctx, badge } = aScene();
    ctx.publications.current = () => null;
    expect(badge('ada', 'tool=codex')).toMatchObject({ tool: null, standing: 'unpublished' });
  });
});
