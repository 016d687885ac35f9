import { describe, expect, test } from 'vitest';
import { Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { LeadersQuery, MetricLeaders } from '#core/contract/metrics.ts';
import { OperatorQuery } from '#core/contract/operators.ts';
import { rankContenders } from '#core/domain/board/board.ts';
import { ProfileChange } from '#core/schema/profile.ts';
import { setDataOptOut } from '#server/operator/set-data-opt-out.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readMetricLeaders } from '#server/board/metric-page.ts';
import { readOperator } from '#server/board/operator.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  publish,
  publishAndKeep,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const COHORTS = [
  { id: 'lab', name: 'The laboratory' },
  { id: 'staff', name: 'Staff' },
];
const TWENTY_DAYS = 20;

/** Days that differ a little, so that intervals overlap; each `step` multiplies the yield by twelve. */
function unevenDays(step: number, at: number) {
  const unit = 12 ** step;
  return bucketsOfDays(TWENTY_DAYS, '2026-02-15').map((bucket, day) => {
    return { ...bucket, output: (3_000 - 13 * at + ((day * 7 + at * 3) % 5) * 90) * unit };
  });
}

/** Fourteen operators in two classes, `op-00` the best, and one of two days in no class. */
function aField(): TestContext {
  const ctx = testContext();
  ctx.config.signIn = { ...ctx.config.signIn, cohorts: COHORTS };
  for (let at = 0; at < 14; at += 1) {
    anActive(ctx, nameOf(at), unevenDays(at < 6 ? 1 : 0, at));
  }
  anActive(ctx, 'new', bucketsOfDays(2, '2026-03-08'));
  publish(ctx);
  return ctx;
}

/** Stores the board of the first day. */
function onNextDay(ctx: TestContext): TestContext {
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  publishAndKeep(ctx);
  return ctx;
}

const nameOf = (at: number) => `op-${String(at).padStart(2, '0')}`;
const read = (ctx: TestContext, query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse(query));
const leaders = (ctx: TestContext, query: Record<string, string> = {}) =>
  readMetricLeaders(ctx, LeadersQuery.parse(query));

async function join(ctx: TestContext, at: number, change: Record<string, string>): Promise<number> {
  const { id } = ctx.store.operators.byCodename(nameOf(at)) ?? { id: 0 };
  await updateProfile(ctx, id, ProfileChange.parse(change));
  return id;
}

const MEMBER = { privacy_mode: 'identified', cohort_id: 'lab' };

describe('readLeaderboard() of a class', () => {
  test('ranks its operators among themselves, as if there were no others', () => {
    const ctx = onNextDay(aField());
    const whole = read(ctx).entries;
    const [upper, lower] = [...new Set(whole.map(({ class_tier }) => class_tier))] as string[];

    const page = read(ctx, { class: lower ?? '', include: 'unranked' });

    expect(whole[7]?.movement).toEqual({ day: 0, week: null });
    expect(whole[7]?.rank_range).not.toEqual([8, 8]);
    expect([upper, lower]).toEqual(['cataract', 'falls']);
    expect(Leaderboard.parse(page)).toEqual(page);
    expect(page).toMatchObject({ class: 'falls', cohort: null, total: 8, unranked_total: 0 });
    const ofClass = whole.filter(({ class_tier }) => class_tier === lower);
    const lows = ofClass.map(({ interval }) => interval?.[0] ?? NaN);
    const { ranks, best, worst } = rankContenders({
      lows,
      bounds: { lows, highs: ofClass.map(({ interval }) => interval?.[1] ?? Infinity) },
      totals: ofClass.map(({ totals }) => totals?.total ?? 0),
    });
    expect(page.entries).toEqual(
      ofClass.map((entry, at) => ({
        ...entry,
        rank: ranks[at],
        rank_range: [best[at], worst[at]],
        movement: { day: null, week: null },
      })),
    );
    expect(Math.max(...page.entries.map(({ rank_range }) => rank_range?.[1] ?? 0))).toBe(8);
  });

  test('supports search and pages, with ranks within the class', () => {
    const ctx = aField();
    const query = { class: 'falls', limit: '3' };
    const whole = read(ctx, { class: 'falls' });
    const first = read(ctx, query);
    const second = read(ctx, { ...query, cursor: first.next_cursor ?? '' });
    const last = whole.entries[7];

    expect([...first.entries, ...second.entries]).toEqual(whole.entries.slice(0, 6));
    expect(read(ctx, { class: 'falls', q: last?.codename ?? '' }).entries).toEqual([last]);
    for (const other of [{}, { class: 'cataract' }, { class: 'falls', cohort: 'lab' }]) {
      expect(() => read(ctx, { limit: '3', cursor: first.next_cursor ?? '', ...other })).toThrow(
        refusal('query_invalid', '#/cursor'),
      );
    }
  });

  test('lists unclassed operators, and is empty for a class without operators', () => {
    const ctx = aField();

    expect(read(ctx, { class: 'unclassed', include: 'unranked' })).toMatchObject({
      total: 0,
      unranked_total: 1,
      unranked: [{ codename: 'new', class_tier: 'unclassed' }],
    });
    expect(read(ctx, { class: 'ocean' })).toMatchObject({ total: 0, entries: [] });
    expect(LeaderboardQuery.safeParse({ class: 'lake' }).error?.issues[0]?.message).toContain(
      '"rill"|"brook"',
    );
  });

  test('is the same after more filters than the cache holds', () => {
    const ctx = aField();
    const before = read(ctx, { class: 'cataract' });
    for (const window of ['7d', '30d', '90d', 'all_time']) {
      for (const tier of ['rill', 'brook', 'stream', 'river', 'rapids']) {
        read(ctx, { window, class: tier });
      }
    }

    expect(read(ctx, { class: 'cataract' })).toEqual(before);
  });
});

describe('readLeaderboard() of a cohort', () => {
  test('contains operators who show their membership', async () => {
    const ctx = aField();
    await join(ctx, 1, MEMBER);
    await join(ctx, 7, MEMBER);
    await join(ctx, 8, { ...MEMBER, privacy_mode: 'pseudonymous' });
    await join(ctx, 9, { ...MEMBER, privacy_mode: 'anonymous' });
    await join(ctx, 10, { ...MEMBER, cohort_id: 'staff' });
    publish(ctx, 2);
    const ranksIn = (query: Record<string, string>) =>
      read(ctx, { cohort: 'lab', ...query }).entries.map(({ codename, rank }) => [codename, rank]);

    expect(read(ctx).cohorts).toEqual(COHORTS);
    expect(ranksIn({})).toEqual([
      ['op-01', 1],
      ['op-07', 2],
    ]);
    expect(ranksIn({ class: 'falls' })).toEqual([['op-07', 1]]);
    expect(ranksIn({ tool: 'claude-code', trust: 'all', metric: 'snr' })).toHaveLength(2);
  });

  test('excludes an operator as soon as they opt out', async () => {
    const ctx = aField();
    const id = await join(ctx, 1, MEMBER);
    publish(ctx, 2);
    const total = () => read(ctx, { cohort: 'lab' }).total;
    expect(total()).toBe(1);

    await setDataOptOut(ctx, id, { opt_out: true });

    expect(total()).toBe(0);
    expect(read(ctx).entries.some(({ codename }) => codename === 'op-01')).toBe(true);
  });

  test('rejects an undefined cohort and names the defined ones', () => {
    const ctx = aField();

    for (const cohort of ['LAB', 'nobody', '%']) {
      const ask = () => read(ctx, { cohort });
      expect(ask).toThrow(refusal('query_invalid', '#/cohort'));
      expect(ask).toThrow('cohort: must be one of: lab, staff');
      expect(() => leaders(ctx, { cohort })).toThrow(refusal('query_invalid', '#/cohort'));
    }
    ctx.config.signIn = { ...ctx.config.signIn, cohorts: [] };
    expect(() => read(ctx, { cohort: 'lab' })).toThrow('cohort: this board has no cohorts');
  });
});

test("earlier boards reject class and cohort filters, and today's board accepts them", () => {
  const ctx = onNextDay(aField());
  const earlier = { as_of: '2026-03-10' };

  expect(read(ctx, earlier)).toMatchObject({ total: 14, class: null, moderation: null });
  expect(() => read(ctx, { ...earlier, class: 'falls' })).toThrow(
    'class: must be omitted for earlier days',
  );
  expect(() => read(ctx, { ...earlier, cohort: 'lab' })).toThrow(
    refusal('query_invalid', '#/cohort'),
  );
  expect(read(ctx, { as_of: '2026-03-11', class: 'falls' }).total).toBe(8);
});

describe('medians', () => {
  const valueOf = (ctx: TestContext, at: number) =>
    read(ctx, { limit: '100' }).entries.find(({ codename }) => codename === nameOf(at))?.metrics
      .yield ?? NaN;
  /** The values of some operators, smallest first. */
  const sorted = (ctx: TestContext, places: readonly number[]) =>
    places.map((at) => valueOf(ctx, at)).sort((a, b) => a - b);

  test("cover ranked operators, each class, and appear next to an operator's value", () => {
    const ctx = aField();
    const answer = leaders(ctx, { metric: 'yield' });
    const upper = sorted(ctx, [0, 1, 2, 3, 4, 5]);
    const lower = sorted(ctx, [6, 7, 8, 9, 10, 11, 12, 13]);
    const middle = (values: number[], at: number) =>
      ((values[at - 1] ?? 0) + (values[at] ?? 0)) / 2;

    expect(MetricLeaders.parse(answer)).toEqual(answer);
    const [{ median, class_medians } = { median: 0, class_medians: [] }] = answer.metrics;
    expect(median).toBeCloseTo(middle([...lower, ...upper], 7), 6);
    expect(class_medians.map(({ class_tier, n }) => [class_tier, n])).toEqual([
      ['falls', 8],
      ['cataract', 6],
    ]);
    expect(class_medians[0]?.median).toBeCloseTo(middle(lower, 4), 6);
    expect(class_medians[1]?.median).toBeCloseTo(middle(upper, 3), 6);
    const { standing } = readOperator(ctx, 'op-03', OperatorQuery.parse({}));
    expect(standing?.metrics.yield.median).toBe(median);
    expect(leaders(ctx, { class: 'cataract' }).metrics[0]).toMatchObject({
      total: 6,
      median: class_medians[1]?.median,
    });
  });

  test('exclude operators who opted out, and need at least five', async () => {
    const ctx = aField();
    const id = (at: number) => ctx.store.operators.byCodename(nameOf(at))?.id ?? 0;
    const ofClass = () => {
      const [first] = leaders(ctx, { metric: 'yield', class: 'cataract' }).metrics;
      return { ...first?.class_medians[0], total: first?.total };
    };

    await setDataOptOut(ctx, id(0), { opt_out: true });
    const five = sorted(ctx, [1, 2, 3, 4, 5]);
    expect(ofClass()).toMatchObject({ n: 5, median: five[2], total: 6 });

    await setDataOptOut(ctx, id(1), { opt_out: true });
    expect(ofClass()).toMatchObject({ n: 4, median: null, total: 6 });
  });
});
