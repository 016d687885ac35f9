import { describe, expect, test } from 'vitest';
import { OperatorQuery } from '#core/contract/operators.ts';
import { operatorViewOf } from '#core/domain/board/operator-view.ts';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { readOperator } from '#server/board/operator.ts';
import { findOperatorPage, readOperatorPage } from '#server/board/operator-page.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS, NOW_MS, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { type TestContext, execute, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const CODEX = { tool: 'codex', provider: 'openai', model: 'gpt-5', cache_write: null };

const viewOf = (query: string) => operatorViewOf(new URLSearchParams(query));
const read = (ctx: TestContext, codename: string, query = '') =>
  readOperatorPage(ctx, codename, viewOf(query));

/** A board of six operators: ada uses two tools, and bob also has self-reports. */
function aScene(): TestContext {
  const ctx = testContext();
  anActive(ctx, 'ada', [...tenDays(), ...bucketsOfDays(3, '2026-03-05', CODEX)]);
  anActive(ctx, 'bob', tenDays(CODEX));
  anActive(ctx, 'bob', bucketsOfDays(2, '2026-03-01'), 'self_reported');
  for (const name of ['cay', 'dan', 'eve', 'fay']) anActive(ctx, name, tenDays());
  publish(ctx);
  return ctx;
}

describe('readOperatorPage()', () => {
  test("shows the API's data", () => {
    const ctx = aScene();
    const queries = ['', 'window=7d', 'tool=codex', 'tool=codex&trust=all', 'window=all_time'];

    for (const query of queries) {
      const { window, trust, tool } = viewOf(query);
      const asked = OperatorQuery.parse({ window, trust, tool: tool ?? undefined });
      for (const codename of ['ada', 'bob']) {
        const { standing, class_tier, devices } = readOperator(ctx, codename, asked);
        expect(read(ctx, codename, query)).toMatchObject({ standing, class_tier, devices });
      }
    }
  });

  test("offers the operator's tools that have boards", () => {
    const ctx = aScene();
    anActive(ctx, 'ada', [aBucket({ tool: 'only-hers' })]);
    publish(ctx);

    expect(read(ctx, 'ada').tools).toEqual(['claude-code', 'codex']);
    expect(read(ctx, 'cay').tools).toEqual(['claude-code']);
  });

  test('says if there are unsigned counts, and which window has tokens', () => {
    const ctx = aScene();
    anActive(ctx, 'old', bucketsOfDays(9, '2026-01-02'));
    anActive(ctx, 'typist', tenDays(), 'self_reported');
    publish(ctx);

    expect(read(ctx, 'ada').has_unsigned).toBe(false);
    expect(read(ctx, 'bob')).toMatchObject({ has_unsigned: true, elsewhere: null });
    expect(read(ctx, 'old', 'window=7d')).toMatchObject({ standing: null, elsewhere: '90d' });
    expect(read(ctx, 'typist')).toMatchObject({
      standing: null,
      has_unsigned: true,
      elsewhere: null,
      history: { points: [] },
    });
    expect(read(ctx, 'typist', 'trust=all').standing).toMatchObject({ trust: 'self_reported' });
  });

  test('exists for an operator who is not on the board, with the state of submissions', () => {
    const ctx = aScene();
    anActive(ctx, 'late', tenDays());

    const page = read(ctx, 'late');

    expect(page).toMatchObject({ standing: null, peers: null, tools: [] });
    expect(page.class_tier).toBe('unclassed');
  });

  test('has gaps for days without tokens, and marks changes of the rules', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', [aBucket({ day: '2026-03-05' }), aBucket({ day: '2026-03-08' })]);
    const enter = (id: string, now: Date) =>
      ctx.store.transaction(() => {
        const payload = { ...RULESET, id };
        ctx.store.log.append({ kind: 'ruleset', operator_id: null, payload, now });
      });
    enter('2-aaaaaaaa', new Date(NOW_MS + DAY_MS));
    ctx.clock.nowMs = NOW_MS + 2 * DAY_MS;
    publish(ctx);

    const { points, changes } = read(ctx, 'ada', 'window=7d').history;

    expect(points.map(({ date, value }) => [date.slice(8), value === null])).toEqual([
      ['06', true],
      ['07', true],
      ['08', false],
      ['09', true],
      ['10', true],
      ['11', true],
      ['12', true],
    ]);
    expect(changes).toEqual([{ date: '2026-03-11', label: 'ruleset 2-aaaaaaaa' }]);
  });

  test('shows all time by weeks, from the first week with tokens', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', [aBucket({ day: '2026-02-18' }), aBucket({ day: '2026-03-04' })]);
    publish(ctx);

    const { points, interval } = read(ctx, 'ada', 'window=all_time').history;

    expect(interval).toBe('week');
    expect(points.map(({ date, total }) => [date, total > 0])).toEqual([
      ['2026-02-16', true],
      ['2026-02-23', false],
      ['2026-03-02', true],
      ['2026-03-09', false],
    ]);
  });

  test('lists current records, with the submissions that set them', () => {
    const ctx = aScene();

    for (const codename of ['ada', 'bob']) {
      const { records_held } = readOperator(ctx, codename, OperatorQuery.parse({}));
      expect(read(ctx, codename).records.map(({ metric }) => metric)).toEqual(records_held);
    }
    expect(read(ctx, 'bob').records[0]).toMatchObject({
      metric: 'yield',
      value: 2480.23802015,
      last_day: '2026-03-10',
    });
  });
});

describe('the calendar of readOperatorPage()', () => {
  test('has the signed days of all tools in 52 weeks that end with this one', () => {
    const ctx = testContext();
    const counts = { input: 10, output: 20, cache_write: 5, cache_read: 40 };
    anActive(ctx, 'ada', [
      // 10 March 2026 is a Tuesday.
      aBucket({ day: '2025-03-16', ...counts }),
      aBucket({ day: '2025-03-17', ...counts }),
      aBucket({ day: '2026-03-09', ...counts }),
      aBucket({ ...CODEX, day: '2026-03-09', input: 10, output: 20, cache_read: null }),
    ]);
    anActive(ctx, 'ada', [aBucket({ day: '2026-03-08' })], 'self_reported');
    publish(ctx);

    const { first, last, days } = read(ctx, 'ada', 'window=7d&trust=all').calendar;

    expect([first, last]).toEqual(['2025-03-17', '2026-03-10']);
    expect(days.map(({ date, total, metrics }) => [date, total, metrics.yield])).toEqual([
      ['2025-03-17', 75, 8],
      ['2026-03-09', 105, 8],
    ]);
  });
});

describe('findOperatorPage()', () => {
  test('finds no page for unknown and invalid codenames', async () => {
    const ctx = aScene();

    for (const codename of ['nobody', 'ADA', 'a', 'ada ', '../ada', '']) {
      const { sheet, refusal: why } = await findOperatorPage(ctx, codename, viewOf(''));
      expect([sheet, why]).toEqual([null, refusal('not_found')]);
    }
  });

  test('finds no page for operators who are not public, or for a tool without boards', async () => {
    const ctx = aScene();
    execute(ctx, `UPDATE operators SET is_open = 0 WHERE codename = 'dan'`);

    const refusalOf = async (codename: string, query: string) =>
      (await findOperatorPage(ctx, codename, viewOf(query))).refusal;
    expect(await refusalOf('dan', '')).toEqual(refusal('not_found'));
    expect(await refusalOf('ada', 'tool=nothing')).toEqual(refusal('query_invalid', '#/tool'));
    expect(await refusalOf('ada', '')).toBeNull();
  });
});
