import { describe, expect, test } from 'vitest';
import { dayName } from '#core/domain/counting/day.ts';
import { classTierOf } from '#core/domain/metrics/class-tier.ts';
import { findOperatorReview } from '#server/board/operator-review.ts';
import { setCodename } from '#server/operator/set-codename.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { yearCardOf } from '#components/operator/year-card-words.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays, DAY_MS, NOW_MS } from '#tests/support/board/builders.ts';
import { publish, type TestContext, testContext } from '#tests/support/board/context.ts';
import { addDay, aDayRow } from '#tests/support/board/kept-days.ts';

const SITE = { name: 'Opbench', baseUrl: 'https://b.example' };
const idOf = (ctx: TestContext, name: string) => ctx.store.operators.byCodename(name)?.id ?? 0;

/** Ada has counts of three years, the first ones on 30 November 2024. */
function aScene(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', [
    ...bucketsOfDays(1, '2024-11-30'),
    ...bucketsOfDays(20, '2025-12-20'),
    ...tenDays(),
    ...bucketsOfDays(2, '2026-03-03', { tool: 'codex', provider: 'openai', model: 'gpt-5' }),
  ]);
  anActive(ctx, 'bob', tenDays({ output: 20_000 }));
  publish(ctx);
  return ctx;
}

async function sheetOf(ctx: TestContext, period: string, name = 'ada') {
  const { sheet } = await findOperatorReview(ctx, name, period);
  if (!sheet) throw new Error(`No review of ${period}`);
  return sheet;
}
const noneOf = async (ctx: TestContext, period: string, name = 'ada') =>
  (await findOperatorReview(ctx, name, period)).none;

/** A stored day on which an operator has this rank over 30 days and this conservative yield over 90. */
function keepDay(ctx: TestContext, day: string, rank: number, low: number): void {
  const row = aDayRow(idOf(ctx, 'ada'), 4, (window, metric) => {
    const isMeant = metric === 'yield' && (window === '30d' || window === '90d');
    const own = isMeant ? rank : null;
    return { value: low, interval: [low, 2 * low], rank: own, place: own };
  });
  addDay(ctx.store.keptDays, day, { tool: null, trust: 'signed' }, [row]);
  const head = { day, log_index: 1, ruleset: '1', generated_at: `${day}T23:59:00.000Z` };
  ctx.store.keptDays.complete({ ...head, tools: [], self_reported: false });
}

describe('findOperatorReview()', () => {
  test('has the signed days of a year, of all tools', async () => {
    const ctx = aScene();
    anActive(ctx, 'ada', bucketsOfDays(3, '2026-02-01'), 'self_reported');
    publish(ctx);

    const sheet = await sheetOf(ctx, '2026');

    expect(sheet.review?.standing.bases.all.active_days).toBe(8 + 10);
    expect(sheet.calendar.map(({ date }) => date).at(0)).toBe('2026-01-01');
    expect(sheet.calendar.map(({ date }) => date).at(-1)).toBe('2026-03-10');
    expect(sheet.tools.map(({ tool }) => tool)).toEqual(['claude-code', 'codex']);
    expect(sheet.models.map(({ provider, model }) => [provider, model])).toEqual([
      ['anthropic', 'claude-opus-5'],
      ['openai', 'gpt-5'],
    ]);
    expect([sheet.previous, sheet.next, dayName(sheet.until)]).toEqual([
      '2025',
      null,
      '2026-03-10',
    ]);
  });

  test('splits a month by the tools of that month', async () => {
    const ctx = aScene();

    const sheet = await sheetOf(ctx, '2025-12');

    expect(sheet.tools.map(({ tool }) => tool)).toEqual(['claude-code']);
    expect(sheet.review?.standing.bases.all.active_days).toBe(12);
    expect([sheet.previous, sheet.next]).toEqual(['2025-11', '2026-01']);
  });

  test('is empty for a time without tokens between others', async () => {
    const sheet = await sheetOf(aScene(), '2025-06');

    expect(sheet).toMatchObject({ review: null, calendar: [], tools: [], end: null });
  });

  test.each([
    ['2026-04', 'future'],
    ['2027', 'future'],
    ['2023', 'before'],
    ['2024-10', 'before'],
    ['2026-13', 'invalid'],
    ['1999', 'invalid'],
    ['later', 'invalid'],
  ])('%s is %s', async (period, reason) => {
    expect(await noneOf(aScene(), period)).toEqual({ reason, first_day: '2024-11-30' });
  });

  test('says that there are no signed counts', async () => {
    const ctx = aScene();
    anActive(ctx, 'typist', tenDays(), 'self_reported');
    publish(ctx);

    expect(await noneOf(ctx, '2026', 'typist')).toEqual({ reason: 'empty', first_day: null });
  });

  test.each(['2026', '2027', 'x'])(
    'does not reveal operators without a page, whatever the period: %s',
    async (period) => {
      const ctx = aScene();
      await updateProfile(ctx, idOf(ctx, 'ada'), { privacy_mode: 'private' });
      await updateProfile(ctx, idOf(ctx, 'bob'), { privacy_mode: 'anonymous' });
      publish(ctx);

      for (const name of ['ada', 'bob', 'nobody', '<b>']) {
        const { sheet, none, refusal } = await findOperatorReview(ctx, name, period);
        expect([sheet, none, refusal?.code, refusal?.message]).toEqual([
          null,
          null,
          'not_found',
          `No operator ${name} was found`,
        ]);
      }
    },
  );

  test('counts what was submitted since the last request', async () => {
    const ctx = aScene();
    await sheetOf(ctx, '2025-06');
    anActive(ctx, 'ada', bucketsOfDays(2, '2025-06-01', { tool: 'gemini-cli' }));

    const sheet = await sheetOf(ctx, '2025-06');

    expect(sheet.tools.map(({ tool }) => tool)).toEqual(['gemini-cli']);
    expect(sheet.review?.standing.bases.all.active_days).toBe(2);
  });
});

describe('the end of a review', () => {
  test('is the current board for a period that is not over', async () => {
    const ctx = aScene();
    const { end } = await sheetOf(ctx, '2026-03');

    expect(end).toMatchObject({ day: '2026-03-10', rank: 2 });
    expect(end?.class_tier).not.toBe('unclassed');
  });

  test('is the last stored day of a period that is over', async () => {
    const ctx = aScene();
    keepDay(ctx, '2025-12-30', 9, 5);
    keepDay(ctx, '2025-12-31', 7, 5000);
    keepDay(ctx, '2026-01-01', 3, 5);
    const end = { day: '2025-12-31', rank: 7, class_tier: classTierOf(5000) };

    expect((await sheetOf(ctx, '2025')).end).toEqual(end);
    expect((await sheetOf(ctx, '2025-12')).end).toEqual(end);
    expect((await sheetOf(ctx, '2026-02')).end).toBeNull();
  });

  test('is the last stored day when a new year has begun and its board has not', async () => {
    const ctx = aScene();
    ctx.clock.nowMs = NOW_MS + 22 * DAY_MS;

    expect((await sheetOf(ctx, '2026-04')).end).toBeNull();
    expect((await sheetOf(ctx, '2026-03')).end?.day).toBe('2026-03-10');
  });
});

describe('yearCardOf()', () => {
  test('has the numbers of the year, and the last day of a past one', async () => {
    const ctx = aScene();
    keepDay(ctx, '2025-12-31', 7, 5000);
    const sheet = await sheetOf(ctx, '2025');

    expect(yearCardOf(sheet, SITE)).toMatchObject({
      board: 'Opbench',
      title: 'ada in 2025',
      rank: 'Rank 7',
      tier: 'falls',
      facts: [
        ['13.3M', 'tokens'],
        ['12', 'active days'],
        [expect.any(String), 'conservative yield'],
        ['Falls', 'class'],
      ],
      address: 'b.example/operators/ada/2025',
      day: '31 Dec 2025',
    });
  });

  test('is null without tokens', async () => {
    const sheet = await sheetOf(aScene(), '2025-06');

    expect(yearCardOf(sheet, SITE)).toBeNull();
  });

  test('follows a new codename', async () => {
    const ctx = aScene();
    await setCodename(ctx, idOf(ctx, 'ada'), 'ada-two');
    publish(ctx);

    const sheet = await sheetOf(ctx, '2026', 'ada-two');

    expect(yearCardOf(sheet, SITE)?.title).toBe('ada-two in 2026');
  });
});
