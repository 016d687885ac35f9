import { describe, expect, test } from 'vitest';
import type { PrivacyMode } from '#core/schema/record.ts';
import { readBoardPage } from '#server/board/board-page.ts';
import { yourBoardQuery, readYourRank } from '#server/board/your-rank.ts';
import { changeVisibility, setSeenAs } from '#server/operator/visibility.ts';
import { aBoard, anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, publish } from '#tests/support/board/context.ts';

const BOARD = 'window=30d&metric=yield';

function placeOf(ctx: TestContext, codename: string, parameters = BOARD) {
  const query = yourBoardQuery(ctx, new URLSearchParams(parameters));
  if (!query) throw new Error('There is no such board');
  return readYourRank(ctx, idOf(ctx, codename), query);
}

function idOf(ctx: TestContext, codename: string): number {
  return ctx.store.operators.byCodename(codename)?.id ?? 0;
}

/** A board on which ada, the best with one tool, has changed her privacy mode. */
function aBoardOfAda(privacy_mode: PrivacyMode): TestContext {
  const ctx = aBoard(6);
  anActive(ctx, 'ada', tenDays({ output: 90_000 }));
  anActive(ctx, 'ada', tenDays({ tool: 'codex' }));
  anActive(ctx, 'ada', bucketsOfDays(2, '2026-03-01', { tool: 'zed' }), 'self_reported');
  anActive(ctx, 'eve', tenDays({ tool: 'codex' }));
  ctx.store.transaction(() => changeVisibility(ctx, idOf(ctx, 'ada'), { privacy_mode }));
  publish(ctx);
  return ctx;
}

describe('readYourRank()', () => {
  test("is the board's row for any metric and tool", () => {
    const ctx = aBoardOfAda('pseudonymous');
    const ofVelocity = placeOf(ctx, 'ada', 'window=30d&metric=velocity&tool=claude-code');

    expect(placeOf(ctx, 'ada', `${BOARD}&tool=codex`).standing?.ranked?.rank).toBe(1);
    expect(ofVelocity).toMatchObject({
      codename: 'ada',
      public_name: 'ada',
      board: { window: '30d', metric: 'velocity', tool: 'claude-code' },
      total: 7,
      standing: { value: 81.8181818182, active_days: 10, reasons: [] },
      isLeftOut: false,
      after: null,
    });
    expect(ofVelocity.standing?.ranked).toMatchObject({ rank: 1, rank_range: [1, 1] });
  });

  test('has the missing requirements without a rank, and is null without counts', () => {
    const ctx = aBoardOfAda('pseudonymous');

    const unranked = placeOf(ctx, 'unranked').standing;
    expect(unranked?.ranked).toBeNull();
    expect(unranked?.reasons.map(({ code }) => code)).toContain('active_days_low');
    expect(placeOf(ctx, 'eve', `${BOARD}&tool=claude-code`)).toMatchObject({
      standing: null,
      isLeftOut: false,
    });
  });

  test('says if a filter excludes the caller', () => {
    const ctx = aBoardOfAda('pseudonymous');

    expect(placeOf(ctx, 'ada', `${BOARD}&class=ocean`)).toMatchObject({
      standing: null,
      isLeftOut: true,
      total: 0,
    });
  });

  test("is the alias's row while anonymous", () => {
    const open = placeOf(aBoardOfAda('pseudonymous'), 'ada');
    const anonymous = placeOf(aBoardOfAda('anonymous'), 'ada');

    expect(anonymous).toEqual({ ...open, public_name: anonymous.public_name });
    expect(anonymous.public_name).toMatch(/^anonymous-/);
  });

  test.each(['private', 'hidden'] as const)('has the same value but no rank while %s', (code) => {
    const parameters = 'window=30d&metric=velocity&tool=claude-code';
    const open = placeOf(aBoardOfAda('pseudonymous'), 'ada', parameters).standing;
    const ctx = aBoardOfAda(code === 'private' ? 'private' : 'pseudonymous');
    const operator = ctx.store.operators.byCodename('ada');
    if (code === 'hidden' && operator) {
      ctx.store.transaction(() => setSeenAs(ctx, { ...operator, hidden_at: '2026-03-10' }));
      publish(ctx);
    }

    const own = placeOf(ctx, 'ada', parameters);

    expect(own).toMatchObject({ public_name: null, class_tier: 'unclassed', total: 6 });
    expect(own.standing).toEqual({
      ...open,
      ranked: null,
      reasons: [expect.objectContaining({ code, required: null, actual: null })],
    });
  });

  test('counts the same records for private callers as the board', () => {
    const ctx = aBoardOfAda('private');
    anActive(ctx, 'fay', tenDays({ tool: 'codex' }));
    publish(ctx);
    const valueOf = (choice: string) =>
      placeOf(ctx, 'ada', `window=30d&metric=velocity${choice}`).standing?.value;

    expect(valueOf('')).toBeCloseTo(1_000_000 / 22_000);
    expect(valueOf('&trust=all')).toBeCloseTo(1_020_000 / 24_200);
    expect(valueOf('&tool=codex')).toBeCloseTo(10_000 / 1_100);
    expect(placeOf(ctx, 'ada', 'window=7d&metric=velocity&tool=codex').standing).not.toBeNull();
    anActive(ctx, 'ada', tenDays({ tool: 'codex', input: 2_200, model: 'other' }));
    expect(valueOf('&tool=codex')).toBeCloseTo(20_000 / 3_300);
  });

  test('links to the page with the row', () => {
    const ctx = aBoard(120);
    anActive(ctx, 'best', tenDays({ output: 90_000 }));
    publish(ctx);
    const board = { window: '30d', metric: 'yield' } as const;
    const namesAfter = (after: string | null) => {
      const page = readBoardPage(ctx, board, new URLSearchParams(after ? { after } : {}));
      return typeof page === 'string' ? [] : page.sheet.entries.map(({ codename }) => codename);
    };

    for (const name of ['op-119', 'op-70', 'op-60', 'op-2']) {
      expect(namesAfter(placeOf(ctx, name).after)).toContain(name);
    }
    expect(placeOf(ctx, 'op-70').standing?.ranked?.rank).toBe(50);
    expect(placeOf(ctx, 'op-70').after).toBeNull();
    expect(placeOf(ctx, 'unranked').after).toBeNull();
  });
});

describe('yourBoardQuery()', () => {
  const asked = (parameters: string) => yourBoardQuery(aBoard(10), new URLSearchParams(parameters));

  test("is the front page's board by default", () => {
    expect(asked('')).toMatchObject({ window: '30d', metric: 'yield', tool: 'claude-code' });
    expect(asked('window=7d')).toMatchObject({ window: '7d', metric: 'yield' });
    expect(asked('window=7d')).not.toHaveProperty('tool');
  });

  test('ignores search and page', () => {
    expect(asked('metric=snr&q=x&after=y')).toEqual(asked('metric=snr'));
  });

  test.each(['window=8d', 'metric=luck', 'tool=nothing', 'class=puddle', 'cohort=x', 'trust=me'])(
    'is null for %s',
    (parameters) => {
      expect(asked(parameters)).toBeNull();
    },
  );
});
