import type Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkOf, chunksOf } from '#core/domain/board/day-chunk.ts';
import type { DayRow } from '#core/domain/board/day-row.ts';
import { erasureIn } from '#db/engine/erasure.ts';
import { keptDaysIn } from '#db/kept-days.ts';
import { keptDaysMoveIn } from '#db/kept-days-move.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDatabase } from '#tests/support/board/database.ts';
import {
  addDay,
  aRankedRow,
  keptRows,
  packDailyStanding,
  someDayRows,
} from '#tests/support/board/kept-days.ts';

const DAY = '2026-03-09';
const WHOLE = { tool: null, trust: 'signed' } as const;
const SPAN = { window: 'all_time', metric: 'snr', from: '2026-03-02', to: DAY } as const;

const aDay = (day: string, self_reported = false) => ({
  day,
  log_index: 5,
  ruleset: '1',
  generated_at: NOW,
  tools: ['codex', 'zed'],
  self_reported,
});

function addOperators(db: Database.Database, ids: Iterable<number>) {
  const add = db.prepare(`INSERT INTO operators (id, public_id, codename, public_name, created_at)
    VALUES (@id, @name, @name, @name, '')`);
  for (const id of ids) add.run({ id, name: `op-${id}` });
}

/** Operators 1 to 3, and 300 in another chunk. */
function aRepository() {
  const db = aDatabase();
  addOperators(db, [1, 2, 3, 300]);
  const days = keptDaysIn(db);
  /** Stores a slice on which operators 1, 2 … have these ranks. */
  const keep = (day: string, ranks: (number | null)[], slice = {}) => {
    addDay(days, day, { ...WHOLE, ...slice }, rowsOf(ranks));
  };
  return { db, days, keep, erasure: erasureIn(db) };
}

const rowsOf = (ranks: (number | null)[]) => ranks.map((rank, at) => aRankedRow(at + 1, rank));

/** Stores a slice in the form of earlier versions. */
function keepRows(
  db: Database.Database,
  day: string,
  rows: DayRow[],
  { tool, trust } = { tool: '', trust: 'signed' },
) {
  const add = db.prepare('INSERT INTO daily_standings VALUES (?, ?, ?, ?, ?)');
  for (const row of rows) add.run(day, tool, trust, row.operator_id, packDailyStanding(row));
}

const namesOn = (days: ReturnType<typeof keptDaysIn>, day: string, slice = {}) =>
  keptRows(days, day, { ...WHOLE, ...slice }).map(({ codename }) => codename);

const countIn = (db: Database.Database, table: string) =>
  db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();

describe('kept days', () => {
  test('become visible when their day is complete', () => {
    const { days, keep } = aRepository();
    keep(DAY, [1, 2]);
    expect(days.publication(DAY)).toBeUndefined();

    days.complete(aDay(DAY));

    expect(days.publication(DAY)).toEqual({ ...aDay(DAY), thinned: false });
    expect(namesOn(days, DAY)).toEqual(['op-1', 'op-2']);
  });

  test('drop the rest of an interrupted attempt', () => {
    const { db, days, keep } = aRepository();
    keep('2026-03-08', [1]);
    keep(DAY, [1, 2, 3]);
    keepRows(db, DAY, rowsOf([1]), { tool: 'codex', trust: 'signed' });

    days.forget(DAY);
    keep(DAY, [1]);

    expect(namesOn(days, DAY)).toHaveLength(1);
    expect(namesOn(days, DAY, { tool: 'codex' })).toHaveLength(0);
    expect(namesOn(days, '2026-03-08')).toHaveLength(1);
    expect(countIn(db, 'day_values')).toBe(2);
  });

  test('leave out deleted operators, those being deleted and private ones, and use current names', () => {
    const { db, days, keep, erasure } = aRepository();
    db.exec('DELETE FROM operators WHERE id = 1');
    db.exec("UPDATE operators SET erasing_at = 'now' WHERE id = 2");
    keep(DAY, [1, 2, 3]);
    expect(days.places(DAY, WHOLE).operators).toEqual(Uint32Array.of(3));

    db.exec("UPDATE operators SET public_name = 'cleo' WHERE id = 3");
    expect(namesOn(days, DAY)).toEqual(['cleo']);
    db.exec('UPDATE operators SET public_name = NULL');
    expect(namesOn(days, DAY)).toEqual([]);
    erasure.end(3);
    expect(countIn(db, 'day_places')).toBe(0);
  });

  test('keep signed slices and slices of all separate', () => {
    const { days, keep } = aRepository();
    keep(DAY, [2]);
    keep(DAY, [1, 2], { trust: 'all' });

    expect(namesOn(days, DAY, { trust: 'all' })).toHaveLength(2);
    expect(namesOn(days, DAY)).toHaveLength(1);
  });

  test('know who was in any slice on a day', () => {
    const { db, days, keep, erasure } = aRepository();
    keep('2026-03-08', [1, 2, 3]);
    keep(DAY, [1]);
    keep(DAY, [1, 2], { tool: 'codex', trust: 'all' });
    keepRows(db, DAY, [aRankedRow(300, 1)], { tool: 'zed', trust: 'all' });
    erasure.end(1);

    const stood = [1, 2, 3, 300, 258].map((id) => days.stood(DAY, id));

    expect(stood).toEqual([false, true, false, true, false]);
  });

  test("return an operator's ranks on stored days, oldest first, in both forms", () => {
    const { db, days, keep } = aRepository();
    for (const [day, rank] of [
      [DAY, 9],
      ['2026-03-05', null],
      ['2026-03-07', 7],
      ['2026-03-01', 1],
    ] as const) {
      keep(day, [rank], { tool: 'codex' });
      keep(day, [44], { trust: 'all' });
      if (day === '2026-03-05' || day === '2026-03-07') keepRows(db, day, rowsOf([rank]));
      else keep(day, [rank]);
      days.complete(aDay(day));
    }
    keep('2026-03-06', [6]);

    expect(days.ranksOf(1, { ...WHOLE, ...SPAN })).toEqual([
      { day: '2026-03-05', rank: null },
      { day: '2026-03-07', rank: 7 },
      { day: DAY, rank: 9 },
    ]);
    expect(days.ranksOf(1, { tool: 'codex', trust: 'signed', ...SPAN })).toHaveLength(3);
    expect(days.ranksOf(1, { tool: null, trust: 'all', ...SPAN })[1]?.rank).toBe(44);
    expect(days.ranksOf(2, { ...WHOLE, ...SPAN })).toEqual([]);
    expect(days.ranksOf(1, { ...WHOLE, ...SPAN, window: '7d' })).toEqual([]);
  });

  test('are found without reading those of others', () => {
    const plan = aDatabase()
      .prepare(
        `EXPLAIN QUERY PLAN SELECT s.body FROM daily_publications p
         CROSS JOIN day_places s ON s.day = p.day AND s.tool = '' AND s.trust = 'all'
           AND s.chunk = 1`,
      )
      .all() as { detail: string }[];

    expect(plan.map(({ detail }) => detail)).toContain(
      'SEARCH s USING INDEX sqlite_autoindex_day_places_1 (day=? AND tool=? AND trust=? AND chunk=?)',
    );
  });
});

describe('erasing an account', () => {
  test('removes it from every day and leaves all others as they are', () => {
    const others = fc.sample(someDayRows, { numRuns: 20, seed: 1 });
    others.forEach((rows, index) => {
      const { db, days, erasure } = aRepository();
      addOperators(
        db,
        rows.map(({ operator_id }) => operator_id).filter((id) => id > 3 && id !== 300),
      );
      const [gone, ...rest] = rows;
      if (!gone || index === 0) return;
      for (const day of ['2026-03-07', '2026-03-08', DAY]) {
        addDay(days, day, WHOLE, rows);
        addDay(days, day, { ...WHOLE, tool: 'codex' }, [gone]);
      }
      const before = keptRows(days, DAY, WHOLE);

      let steps = 0;
      while (erasure.step(gone.operator_id)) steps += 1;

      expect(steps).toBe(1);
      expect(erasure.sizeOf(gone.operator_id).chunks).toBe(0);
      expect(keptRows(days, DAY, WHOLE)).toHaveLength(rest.length);
      expect(days.chunks(DAY, { ...WHOLE, tool: 'codex' })).toEqual([]);
      const placeOf = (of: typeof before) =>
        of.map(({ operator_id, placeOf: read }) => [operator_id, read('30d', 'snr')]);
      expect(placeOf(keptRows(days, DAY, WHOLE))).toEqual(
        placeOf(before).filter(([id]) => id !== gone.operator_id),
      );
    });
  });

  test('rewrites only chunks with the account, a few at a time', () => {
    const { days, erasure } = aRepository();
    const rows = [aRankedRow(1, 1), aRankedRow(2, 2), aRankedRow(300, 3)];
    for (let day = 10; day < 31; day += 1) addDay(days, `2026-03-${day}`, WHOLE, rows);

    let steps = 0;
    while (erasure.step(2)) steps += 1;

    expect(steps).toBe(3);
    expect([1, 2, 300].map((id) => erasure.sizeOf(id).chunks)).toEqual([21, 0, 21]);
  });
});

describe('thinning', () => {
  /** Days with a board: the end of January, all of February but its last three days, and some of March. */
  const KEPT = [
    '2026-01-30',
    '2026-01-31',
    '2026-02-01',
    '2026-02-24',
    '2026-02-25',
    '2026-03-01',
    DAY,
  ];

  function aYear() {
    const { db, days, keep } = aRepository();
    for (const day of KEPT) {
      keep(day, [1, 2]);
      days.complete(aDay(day));
    }
    return { db, days };
  }

  const thinBefore = (days: ReturnType<typeof keptDaysIn>, day: string) => {
    while (days.thinNext(day));
  };

  test('keeps places of all days, and values of recent days and of the last day of each month', () => {
    const { db, days } = aYear();

    thinBefore(days, '2026-03-01');

    const thinned = KEPT.filter((day) => days.publication(day)?.thinned);
    expect(thinned).toEqual(['2026-01-30', '2026-02-01', '2026-02-24']);
    for (const day of KEPT) {
      const place = days.chunk(day, WHOLE, 0)?.place(2, 'all_time', 'snr');
      const value = thinned.includes(day) ? null : 1.5;
      expect(place).toEqual({ rank: 2, place: 2, value, interval: null });
    }
    expect(countIn(db, 'day_values')).toBe(KEPT.length - 3);
  });

  test('hides the values of a day at once, and finishes what was interrupted', () => {
    const { db, days } = aYear();
    const rows = Array.from({ length: 9 }, (_, at) => aRankedRow(256 * (at + 10), at + 1));
    addOperators(
      db,
      rows.map(({ operator_id }) => operator_id),
    );
    addDay(days, '2026-02-01', { ...WHOLE, tool: 'codex' }, rows);
    days.thinNext('2026-02-02');

    expect(days.thinNext('2026-02-02')).toBe(true);
    expect(countIn(db, 'day_values')).toBeGreaterThan(KEPT.length - 2);
    const last = days.chunk('2026-02-01', { ...WHOLE, tool: 'codex' }, 18);
    expect(last?.values).toBeNull();

    const later = keptDaysIn(db);
    thinBefore(later, '2026-02-02');
    expect(countIn(db, 'day_values')).toBe(KEPT.length - 2);
  });

  test('waits for days that are not in chunks yet', () => {
    const { db, days } = aYear();
    keepRows(db, '2026-02-01', [aRankedRow(300, 3)]);

    thinBefore(days, '2026-03-01');

    expect(days.publication('2026-02-01')?.thinned).toBe(false);
    expect(days.publication('2026-02-24')?.thinned).toBe(true);
  });
});

describe('the move of kept days', () => {
  test('moves any rows so that the same numbers are read before, during and after', () => {
    fc.assert(
      fc.property(someDayRows, (rows) => {
        const db = aDatabase();
        addOperators(
          db,
          rows.map(({ operator_id }) => operator_id),
        );
        keepRows(db, DAY, rows);
        const days = keptDaysIn(db);
        const move = keptDaysMoveIn(db);
        const read = () =>
          rows.map(({ operator_id }) =>
            days.chunk(DAY, WHOLE, chunkOf(operator_id))?.place(operator_id, '90d', 'yield'),
          );
        const before = read();
        expect(move.left()).toBe(rows.length);

        let steps = 0;
        for (; move.step(); steps += 1) expect(read()).toEqual(before);

        expect(steps).toBe([...chunksOf(rows)].length);
        expect([move.left(), countIn(db, 'day_places')]).toEqual([0, steps]);
        expect(read()).toEqual(before);
        db.close();
      }),
      { numRuns: 25 },
    );
  });

  test('leaves out accounts that are being deleted', () => {
    const { db, days } = aRepository();
    keepRows(db, DAY, rowsOf([1, 2]));
    db.exec("UPDATE operators SET erasing_at = 'now' WHERE id = 1");

    expect(keptDaysMoveIn(db).step()).toBe(true);

    expect(days.places(DAY, WHOLE).operators).toEqual(Uint32Array.of(2));
    expect(keptDaysMoveIn(db).step()).toBe(false);
  });

  test('leaves rows as they are if one is damaged', () => {
    const body = Buffer.concat([packDailyStanding(aRankedRow(1, 1)), Buffer.from('x')]);
    const { db } = aRepository();
    keepRows(db, DAY, [aRankedRow(2, 2)]);
    db.prepare('INSERT INTO daily_standings VALUES (?, ?, ?, ?, ?)').run(
      DAY,
      '',
      'signed',
      1,
      body,
    );

    expect(() => keptDaysMoveIn(db).step()).toThrow('damaged');

    expect([countIn(db, 'daily_standings'), countIn(db, 'day_places')]).toEqual([2, 0]);
  });
});
