import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { Projection } from '#server/publication/projection.ts';
import { publishAndStore } from '#server/publication/publish.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  execute,
  publishAndKeep,
  query,
  testContext,
} from '#tests/support/board/context.ts';
import { addDay, aRankedRow, keptRows } from '#tests/support/board/kept-days.ts';

const TODAY = '2026-03-10';
const WHOLE = { tool: null, trust: 'signed' } as const;
const ALL = { from: 0, limit: 99 };

const at = (ctx: TestContext, instant: string) => {
  ctx.clock.nowMs = Date.parse(instant);
  return publishAndKeep(ctx);
};

/** Three ranked operators, two of them in a tie, and an unranked one. */
function aBoard(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays());
  anActive(ctx, 'bob', tenDays({ output: 20_000 }));
  anActive(ctx, 'cat', tenDays());
  anActive(ctx, 'dan', bucketsOfDays(40, '2025-12-01', { cache_read: null }));
  return ctx;
}

const keptDays = (ctx: TestContext) =>
  query<{ day: string }>(ctx, 'SELECT day FROM daily_publications ORDER BY day').map(
    ({ day }) => day,
  );

describe('storing days', () => {
  test('stores what the last publication of the day showed, in every window and metric', () => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T11:00:00Z`);
    anActive(ctx, 'cat', tenDays({ tool: 'codex' }));
    const last = at(ctx, `${TODAY}T23:59:00Z`);
    expect(keptDays(ctx)).toEqual([]);

    at(ctx, '2026-03-11T00:01:00Z');

    const { as_of: day, ruleset, log_index, generated_at } = last;
    expect(ctx.store.keptDays.publication(TODAY)).toEqual({
      day,
      log_index,
      ruleset,
      generated_at,
      tools: ['claude-code'],
      self_reported: false,
      thinned: false,
    });
    const rows = keptRows(ctx.store.keptDays, TODAY, WHOLE);
    const kept = WINDOWS.flatMap((window) =>
      METRIC_NAMES.map((metric) =>
        rows
          .map(({ codename, placeOf }) => ({ codename, ...placeOf(window, metric) }))
          .filter(({ rank }) => typeof rank === 'number')
          .sort((a, b) => (a.place ?? 0) - (b.place ?? 0)),
      ),
    );
    const shown = WINDOWS.flatMap((window) =>
      METRIC_NAMES.map((metric) =>
        last
          .window(window)
          .ranked(metric, ALL)
          .entries.map(({ codename, rank, metrics, interval }, index) => {
            return { codename, value: metrics[metric], interval, rank, place: index + 1 };
          }),
      ),
    );
    expect(kept).toEqual(shown);
    expect(shown[5]).toHaveLength(3);
    const dan = rows.find(({ codename }) => codename === 'dan');
    expect(dan?.placeOf('all_time', 'yield')).toEqual({
      value: null,
      interval: null,
      rank: null,
      place: null,
    });
    expect(dan?.placeOf('30d', 'yield')).toBeNull();
  });

  test('stores a day once, whatever is published afterwards', () => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T12:00:00Z`);
    at(ctx, '2026-03-11T00:01:00Z');
    const before = query(ctx, 'SELECT * FROM day_values');
    anActive(ctx, 'new', tenDays());

    at(ctx, '2026-03-11T00:02:00Z');

    expect(query(ctx, 'SELECT * FROM day_values')).toEqual(before);
  });

  test('stores the last day before a pause, and no day of the pause', () => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T12:00:00Z`);
    at(ctx, '2026-03-14T08:00:00Z');
    at(ctx, '2026-03-15T08:00:00Z');

    expect(keptDays(ctx)).toEqual([TODAY, '2026-03-14']);
  });

  test('stores the slices of tools, and those of all if there are self-reports', () => {
    const ctx = aBoard();
    anActive(ctx, 'ada', tenDays({ tool: 'codex' }));
    anActive(ctx, 'eve', tenDays({ tool: 'codex' }), 'self_reported');
    at(ctx, `${TODAY}T12:00:00Z`);
    at(ctx, '2026-03-11T12:00:00Z');

    const slices = query(
      ctx,
      `SELECT tool, trust, sum(length(members)) AS rows FROM day_places GROUP BY tool, trust`,
    );

    expect(slices).toEqual([
      { tool: '', trust: 'all', rows: 5 },
      { tool: '', trust: 'signed', rows: 4 },
      { tool: 'claude-code', trust: 'all', rows: 4 },
      { tool: 'claude-code', trust: 'signed', rows: 4 },
      { tool: 'codex', trust: 'all', rows: 2 },
      { tool: 'codex', trust: 'signed', rows: 1 },
    ]);
  });

  test('stores every operator of a large board', () => {
    const ctx = testContext();
    ctx.store.transaction(() => {
      for (let index = 0; index < 205; index += 1) anActive(ctx, `op-${index}`, tenDays());
    });
    at(ctx, `${TODAY}T12:00:00Z`);
    at(ctx, '2026-03-11T12:00:00Z');

    const rows = keptRows(ctx.store.keptDays, TODAY, WHOLE);
    const places = rows.map(({ placeOf }) => placeOf('30d', 'snr')?.place ?? 0);
    expect(places.sort((a, b) => a - b)).toEqual(
      Array.from({ length: 205 }, (_, index) => index + 1),
    );
  });

  test('starts again after an interruption', () => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T12:00:00Z`);
    const operator_id = ctx.store.operators.byCodename('bob')?.id ?? 0;
    addDay(ctx.store.keptDays, TODAY, WHOLE, [aRankedRow(operator_id, 7)]);

    at(ctx, '2026-03-11T12:00:00Z');

    const rows = keptRows(ctx.store.keptDays, TODAY, WHOLE);
    expect(rows.map(({ codename }) => codename)).toEqual(['ada', 'bob', 'cat', 'dan']);
    expect(rows[1]?.placeOf('30d', 'yield')?.rank).toBe(1);
  });

  test('leaves out operators deleted before the day was stored', () => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T12:00:00Z`);
    deleteOperator(ctx, 'bob');

    at(ctx, '2026-03-11T12:00:00Z');

    const rows = keptRows(ctx.store.keptDays, TODAY, WHOLE);
    const places = rows.map(({ codename, placeOf }) => [codename, placeOf('30d', 'yield')?.place]);
    expect(places).toEqual([
      ['ada', 2],
      ['cat', 3],
      ['dan', undefined],
    ]);
  });

  test.each([
    "UPDATE publication_parts SET body = x'00'",
    "DELETE FROM publication_parts WHERE section LIKE 'numbers%'",
  ])('continues without a publication that cannot be read: %s', (damage) => {
    const ctx = aBoard();
    at(ctx, `${TODAY}T12:00:00Z`);
    execute(ctx, damage);

    expect(at(ctx, '2026-03-11T12:00:00Z').as_of).toBe('2026-03-11');
    expect(keptDays(ctx)).toEqual([]);
  });

  test('deletes the values of older days with the next day, but not while the clock may be wrong', () => {
    const ctx = aBoard();
    const days = [TODAY, '2026-03-11', '2026-03-12', '2026-03-13'];
    const publishOn = (day: string, isClockSure = true) => {
      const nowMs = Date.parse(`${day}T12:00:00Z`);
      publishAndStore(ctx.store, new Projection(ctx.ruleset), nowMs, {
        isClockSure,
        valuesDays: 2,
      });
    };
    const withValues = () =>
      days.filter((day) => ctx.store.keptDays.chunk(day, WHOLE, 0)?.values != null);
    for (const day of days) publishOn(day);
    expect(withValues()).toEqual(days.slice(1, 3));

    publishOn('2026-03-14', false);
    expect(withValues()).toEqual(days.slice(1));

    publishOn('2026-03-15');
    expect(withValues()).toEqual(['2026-03-13']);
    execute(ctx, "UPDATE daily_publications SET day = '2027-03-10' WHERE day = '2026-03-14'");
    publishOn('2026-03-15');
    expect(withValues()).toEqual(['2026-03-13']);
    const places = days.map((day) => [
      ...ctx.store.keptDays.places(day, WHOLE).places('30d', 'snr'),
    ]);
    expect(places).toEqual(days.map(() => places[0]));
  });
});
