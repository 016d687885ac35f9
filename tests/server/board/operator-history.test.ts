import { describe, expect, test } from 'vitest';
import { HistoryQuery, OperatorHistory } from '#core/contract/operators.ts';
import { exactMetrics } from '#core/domain/metrics/metrics.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { readOperatorHistory } from '#server/board/operator-history.ts';
import { DAY_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  anOperator,
  execute,
  publish,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { addDay, aDayRow } from '#tests/support/board/kept-days.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const TOTAL = 1_111_100;

const read = (ctx: TestContext, query: Record<string, string> = {}, codename = 'ada') =>
  readOperatorHistory(ctx, codename, HistoryQuery.parse(query));

/** Date, total tokens and rank of each point. */
const points = (ctx: TestContext, query: Record<string, string> = {}) =>
  read(ctx, query).points.map(({ date, total, rank }) => [date, total, rank]);

/** Stores a day's board on which operator 1 has one rank by one metric in one window. */
function keepDay(
  ctx: TestContext,
  day: string,
  rank: number | null,
  { window = '30d', metric = 'yield' }: { window?: WindowName; metric?: MetricName } = {},
): void {
  const row = aDayRow(1, 4, (at, name) => {
    const own = name === metric && at === window ? rank : null;
    return { value: 1, interval: null, rank: own, place: own };
  });
  const { keptDays } = ctx.store;
  addDay(keptDays, day, { tool: null, trust: 'signed' }, [row]);
  const generated_at = `${day}T23:59:00.000Z`;
  const head = { day, log_index: 1, ruleset: '1', generated_at };
  keptDays.complete({ ...head, tools: [], self_reported: false });
}

async function aScene() {
  const ctx = testContext();
  return { ctx, device: await anEnrolledDevice(ctx, 'ada') };
}

describe('readOperatorHistory()', () => {
  test('returns each day with tokens, before a board shows it', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [
      aBucket({ day: '2026-03-02' }),
      aBucket({ day: '2026-03-02', tool: 'codex', cache_write: null, cache_read: null }),
      aBucket({ day: '2026-02-27', cache_read: null }),
    ]);

    const history = read(ctx);

    const metrics = exactMetrics({ ...aBucket(), output: 10_000 });
    expect(OperatorHistory.parse(history)).toEqual(history);
    expect(history).toEqual({
      codename: 'ada',
      window: '30d',
      metric: 'yield',
      interval: 'day',
      as_of: '2026-03-10',
      log_index: 5,
      points: [
        {
          date: '2026-02-27',
          input: 1_100,
          output: 10_000,
          cache_write: 100_000,
          cache_read: null,
          total: 111_100,
          metrics: { ...metrics, yield: null, leverage: null, dev10x: null },
          rank: null,
        },
        {
          date: '2026-03-02',
          input: 2_200,
          output: 20_000,
          cache_write: 100_000,
          cache_read: 1_000_000,
          total: TOTAL + 11_100,
          metrics,
          rank: null,
        },
      ],
    });
  });

  test.each([
    ['7d', '2026-03-04'],
    ['30d', '2026-02-09'],
    ['90d', '2025-12-11'],
  ])('the window %s starts on %s and ends today', async (window, first) => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(101, '2025-11-30'));

    const dates = read(ctx, { window }).points.map(({ date }) => date);

    expect([dates[0], dates.at(-1)]).toEqual([first, '2026-03-10']);
    expect(dates).toHaveLength(Number.parseInt(window));
    expect(points(ctx, { window: 'all_time' })).toHaveLength(101);
  });

  test('leaves out unsigned, replaced and withdrawn records', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [aBucket()]);
    await submit(ctx, device, [aBucket({ output: 10_001 })]);
    const { answer } = await submit(ctx, device, [aBucket({ day: '2026-03-02' })]);
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket({ day: '2026-03-03' })]);
    await withdrawSubmission(ctx, { operator_id: 1, device_id: null }, answer.id);
    execute(ctx, `UPDATE devices SET trust = 'self_reported' WHERE id = 2`);

    expect(points(ctx)).toEqual([['2026-03-01', TOTAL + 1, null]]);
  });

  test('sums weeks from Monday, with their days in the window', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01'));

    expect(points(ctx, { interval: 'week' })).toEqual([
      ['2026-02-23', TOTAL, null],
      ['2026-03-02', 7 * TOTAL, null],
      ['2026-03-09', 2 * TOTAL, null],
    ]);
    expect(points(ctx, { interval: 'week', window: '7d' })).toEqual([
      ['2026-03-02', 5 * TOTAL, null],
      ['2026-03-09', 2 * TOTAL, null],
    ]);
  });

  test("takes a day's rank from its stored board", async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(4, '2026-03-01'));
    keepDay(ctx, '2026-03-01', 7);
    keepDay(ctx, '2026-03-02', null);
    keepDay(ctx, '2026-03-04', 5, { window: '7d', metric: 'snr' });

    const ranks = (query: Record<string, string>) => points(ctx, query).map(([, , rank]) => rank);

    expect(ranks({})).toEqual([7, null, null, null]);
    expect(ranks({ window: '7d', metric: 'snr' })).toEqual([5]);
    expect(ranks({ window: '90d', metric: 'snr' })).toEqual([null, null, null, null]);
  });

  test("takes a week's rank from its Sunday", async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01'));
    keepDay(ctx, '2026-03-01', 2);
    keepDay(ctx, '2026-03-07', 3);
    keepDay(ctx, '2026-03-08', 4);
    keepDay(ctx, '2026-03-09', 5);

    expect(points(ctx, { interval: 'week' }).map(([, , rank]) => rank)).toEqual([2, 4, null]);
  });

  test('takes the rank of today and of the current week from the current publication', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01', { input: 2_000 }));
    const bob = await anEnrolledDevice(ctx, 'bob');
    await submit(ctx, bob, bucketsOfDays(10, '2026-03-01'));
    publish(ctx);

    expect(points(ctx).at(-1)).toEqual(['2026-03-10', expect.any(Number), 2]);
    expect(points(ctx, { interval: 'week' }).at(-1)?.[2]).toBe(2);
    expect(read(ctx, {}, 'bob').points.map(({ rank }) => rank)).toEqual([
      ...Array.from({ length: 9 }, () => null),
      1,
    ]);
    ctx.clock.nowMs += DAY_MS;
    expect(points(ctx).slice(-1)).toEqual([['2026-03-10', expect.any(Number), 2]]);
  });

  test('keeps the rank of the current week while today has no board', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01'));
    publish(ctx);
    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, [aBucket({ day: '2026-03-11' })]);

    expect(points(ctx, { interval: 'week' }).at(-1)?.[2]).toBe(1);
    expect(points(ctx).at(-1)).toEqual(['2026-03-11', TOTAL, null]);
  });

  test('still has a rank when its day is over and stored', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, bucketsOfDays(10, '2026-03-01'));
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;
    await submit(ctx, device, [aBucket({ day: '2026-03-11' })]);
    publishAndKeep(ctx);

    expect(points(ctx).slice(-3)).toEqual([
      ['2026-03-09', TOTAL, null],
      ['2026-03-10', TOTAL, 1],
      ['2026-03-11', TOTAL, 1],
    ]);
  });

  test('has no rank for today while unranked', async () => {
    const { ctx, device } = await aScene();
    await submit(ctx, device, [aBucket({ day: '2026-03-10' })]);
    publish(ctx);

    expect(points(ctx)).toEqual([['2026-03-10', TOTAL, null]]);
  });

  test('is empty for operators without counted submissions', async () => {
    const { ctx } = await aScene();

    expect(points(ctx)).toEqual([]);
  });

  test('throws not_found for operators who are unknown or not in the log', async () => {
    const { ctx } = await aScene();
    anOperator(ctx, 'silent');

    expect(() => read(ctx, {}, 'nobody')).toThrow(refusal('not_found'));
    expect(() => read(ctx, {}, 'silent')).toThrow(refusal('not_found'));
  });
});
