import { describe, expect, test } from 'vitest';
import { dailyStandingsIn } from '#db/daily-standings.ts';
import { packDailyStanding } from '#core/domain/board/daily-standing.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDatabase } from '#tests/support/board/database.ts';

const WHOLE = { tool: null, trust: 'signed' } as const;

/** The stored values of an operator with tokens in all time, with this rank by every metric. */
function aBody(rank: number | null): Uint8Array {
  const place = { value: 1.5, interval: null, rank, place: rank };
  const all_time = { yield: place, leverage: place, velocity: place, snr: place, dev10x: place };
  return packDailyStanding({ all_time });
}

const aDay = (day: string, self_reported = false) => ({
  day,
  log_index: 5,
  ruleset: '1',
  generated_at: NOW,
  tools: ['codex', 'zed'],
  self_reported,
});

/** Operators 1 to 3. */
function aRepository() {
  const db = aDatabase();
  db.exec(`INSERT INTO operators (id, public_id, codename, public_name, created_at)
    VALUES (1, 'p1', 'ada', 'ada', ''), (2, 'p2', 'bob', 'bob', ''), (3, 'p3', 'cat', 'cat', '')`);
  const days = dailyStandingsIn(db);
  const keep = (day: string, ranks: (number | null)[], slice = {}) => {
    const rows = ranks.map((rank, index) => ({ operator_id: index + 1, body: aBody(rank) }));
    days.add(day, { ...WHOLE, ...slice }, rows);
  };
  return { db, days, keep };
}

describe('daily standings', () => {
  test('become visible when their day is complete', () => {
    const { days, keep } = aRepository();
    keep('2026-03-09', [1, 2]);
    expect(days.publication('2026-03-09')).toBeUndefined();

    days.complete(aDay('2026-03-09'));

    expect(days.publication('2026-03-09')).toEqual(aDay('2026-03-09'));
    expect(days.ofDay('2026-03-09', WHOLE).map((row) => [row.codename, row.operator_id])).toEqual([
      ['ada', 1],
      ['bob', 2],
    ]);
  });

  test('drop the rest of an interrupted attempt', () => {
    const { days, keep } = aRepository();
    keep('2026-03-08', [1]);
    keep('2026-03-09', [1, 2, 3]);

    days.forget('2026-03-09');
    keep('2026-03-09', [1]);
    days.complete(aDay('2026-03-09'));
    days.complete(aDay('2026-03-08'));

    expect(days.ofDay('2026-03-09', WHOLE)).toHaveLength(1);
    expect(days.ofDay('2026-03-08', WHOLE)).toHaveLength(1);
  });

  test('leave out deleted and private operators, and use current names', () => {
    const { db, days, keep } = aRepository();
    db.exec('DELETE FROM operators WHERE id = 1');
    keep('2026-03-09', [1, 2, 3]);
    days.complete(aDay('2026-03-09'));

    db.exec(`DELETE FROM operators WHERE id = 2; UPDATE operators SET public_name = 'cleo'`);

    const names = () => days.ofDay('2026-03-09', WHOLE).map(({ codename }) => codename);
    expect(names()).toEqual(['cleo']);
    expect(db.prepare('SELECT count(*) FROM daily_standings').pluck().get()).toBe(1);
    db.exec('UPDATE operators SET public_name = NULL');
    expect(names()).toEqual([]);
  });

  test('keep signed slices and slices of all separate', () => {
    const { days, keep } = aRepository();
    keep('2026-03-09', [2]);
    keep('2026-03-09', [1, 2], { trust: 'all' });
    days.complete(aDay('2026-03-09', true));
    const all = { tool: null, trust: 'all' } as const;

    expect(days.ofDay('2026-03-09', all)).toHaveLength(2);
    expect(days.ofDay('2026-03-09', WHOLE)).toHaveLength(1);
  });

  test('know who was in any slice on a day', () => {
    const { db, days, keep } = aRepository();
    keep('2026-03-08', [1, 2, 3]);
    keep('2026-03-09', [1]);
    keep('2026-03-09', [1, 2], { tool: 'codex', trust: 'all' });
    db.exec('DELETE FROM operators WHERE id = 1');

    const stood = [1, 2, 3].map((id) => days.stood('2026-03-09', id));

    expect(stood).toEqual([false, true, false]);
  });

  test('know which of some operators were ranked, and who had the first places', () => {
    const { days, keep } = aRepository();
    keep('2026-03-09', [2, null, 1]);
    const board = { ...WHOLE, window: 'all_time', metric: 'snr' } as const;
    const of = (first: number, last: number, most = 50) => [
      days.rankedTotal('2026-03-09', board, { first, last }),
      days.leaders('2026-03-09', board, most, { first, last }),
    ];

    expect(of(1, 2)).toEqual([1, [{ operator_id: 1, place: 2 }]]);
    expect(of(2, 2)).toEqual([0, []]);
    expect(of(1, 3, 1)).toEqual([2, [{ operator_id: 3, place: 1 }]]);
    expect(days.lastOperator('2026-03-09', WHOLE)).toBe(3);
    expect(days.lastOperator('2026-03-08', WHOLE)).toBe(0);
  });

  test("return an operator's ranks on stored days, oldest first", () => {
    const { days, keep } = aRepository();
    for (const [day, rank] of [
      ['2026-03-09', 9],
      ['2026-03-05', null],
      ['2026-03-07', 7],
      ['2026-03-01', 1],
    ] as const) {
      keep(day, [rank]);
      keep(day, [33], { tool: 'codex' });
      keep(day, [44], { trust: 'all' });
      days.complete(aDay(day));
    }
    keep('2026-03-06', [6]);
    const span = {
      window: 'all_time',
      metric: 'snr',
      from: '2026-03-02',
      to: '2026-03-09',
    } as const;

    expect(days.ranksOf(1, { ...WHOLE, ...span })).toEqual([
      { day: '2026-03-05', rank: null },
      { day: '2026-03-07', rank: 7 },
      { day: '2026-03-09', rank: 9 },
    ]);
    expect(days.ranksOf(1, { tool: 'codex', trust: 'signed', ...span })).toHaveLength(3);
    expect(days.ranksOf(1, { tool: null, trust: 'all', ...span })[1]?.rank).toBe(44);
    expect(days.ranksOf(2, { ...WHOLE, ...span })).toEqual([]);
    expect(days.ranksOf(1, { ...WHOLE, ...span, window: '7d' })).toEqual([]);
  });

  test('are found without reading those of others', () => {
    const { db } = aRepository();
    const plan = db
      .prepare(
        `EXPLAIN QUERY PLAN SELECT s.body FROM daily_publications p
         CROSS JOIN daily_standings s ON s.day = p.day AND s.tool = '' AND s.trust = 'all'
           AND s.operator_id = 1`,
      )
      .all() as { detail: string }[];

    expect(plan.map(({ detail }) => detail)).toContain(
      'SEARCH s USING PRIMARY KEY (day=? AND tool=? AND trust=? AND operator_id=?)',
    );
  });
});
