import { deserialize, serialize } from 'node:v8';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import { WINDOWS } from '#core/domain/window.ts';
import { BoardEntry, UnrankedEntry } from '#core/schema/board.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { databasePath } from '#server/context.ts';
import { type WindowColumns, buffersOf, jsonAt, jsonColumn } from '#server/publication/columns.ts';
import { Projection } from '#server/publication/projection.ts';
import { PublishedWindow } from '#server/publication/publication.ts';
import { NOW, aBucket, bucketsOfDays } from '#tests/support/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/context.ts';

const TODAY = '2026-03-10';

/** An operator with these buckets. */
async function anActive(ctx: TestContext, codename: string, buckets: Bucket[]) {
  const device = await anEnrolledDevice(ctx, codename);
  await submit(ctx, device, buckets);
  return device;
}

/** A board of five: three ranked, of these two in a tie, and two unranked. */
async function aBoard(): Promise<TestContext> {
  const ctx = testContext();
  await anActive(ctx, 'eve', bucketsOfDays(20, '2026-02-15'));
  await anActive(ctx, 'ada', bucketsOfDays(20, '2026-02-15', { output: 20_000 }));
  await anActive(ctx, 'dan', bucketsOfDays(3, '2026-03-05'));
  await anActive(ctx, 'bob', bucketsOfDays(20, '2026-02-15'));
  await anActive(ctx, 'cat', bucketsOfDays(20, '2026-02-15', { cache_read: null }));
  return ctx;
}

function projected(ctx: TestContext): WindowColumns[] {
  const projection = new Projection();
  projection.refresh(ctx.store);
  return projection.projectAll(TODAY, ctx.ruleset);
}

function execute(ctx: TestContext, sql: string): void {
  const db = new Database(databasePath(ctx.config));
  db.pragma('foreign_keys = ON');
  db.exec(sql);
  db.close();
}

const windowOf = (projection: Projection, ctx: TestContext) =>
  new PublishedWindow(projection.project('30d', TODAY, ctx.ruleset));

describe('Projection.refresh()', () => {
  test('returns the number of log entries that it stands for', async () => {
    const ctx = testContext();
    const projection = new Projection();

    expect(projection.refresh(ctx.store)).toBe(2);
    await anActive(ctx, 'ada', [aBucket()]);
    expect(projection.refresh(ctx.store)).toBe(5);
    expect(projection.refresh(ctx.store)).toBe(5);
  });

  test('reads only operators that the log touched since', async () => {
    const ctx = await aBoard();
    const projection = new Projection();
    projection.refresh(ctx.store);
    const before = windowOf(projection, ctx).find('yield', 'ada');

    execute(ctx, `UPDATE buckets SET output = 1`);
    projection.refresh(ctx.store);
    expect(windowOf(projection, ctx).find('yield', 'ada')).toEqual(before);

    execute(
      ctx,
      `INSERT INTO log_entries (log_index, kind, previous, received_at, payload_digest, entry_hash)
       VALUES (99, 'release', '', '', '', '');
       UPDATE operators SET log_index = 99 WHERE codename = 'ada'`,
    );
    expect(projection.refresh(ctx.store)).toBe(99);
    expect(windowOf(projection, ctx).find('yield', 'ada')).toMatchObject({
      totals: { output: 20 },
    });
    expect(windowOf(projection, ctx).find('yield', 'bob')).toMatchObject({
      totals: { output: 200_000 },
    });
  });

  test('forgets operators that were deleted', async () => {
    const ctx = await aBoard();
    const projection = new Projection();
    projection.refresh(ctx.store);

    execute(ctx, `DELETE FROM operators WHERE codename = 'ada'`);
    projection.refresh(ctx.store);

    expect(windowOf(projection, ctx).find('yield', 'ada')).toBeNull();
    expect(windowOf(projection, ctx).total('yield')).toBe(2);
  });

  test('gives, step by step, what reading everything anew gives', async () => {
    const ctx = testContext();
    const projection = new Projection();
    const ada = await anActive(ctx, 'ada', bucketsOfDays(9, '2026-03-01'));
    projection.refresh(ctx.store);
    await anActive(ctx, 'bob', bucketsOfDays(10, '2026-03-01'));
    projection.refresh(ctx.store);
    await submit(ctx, ada, [aBucket({ day: '2026-03-10', output: 77_777 })]);
    projection.refresh(ctx.store);

    expect(serialize(projection.projectAll(TODAY, ctx.ruleset))).toEqual(serialize(projected(ctx)));
  });

  test('leaves self-reported buckets out', async () => {
    const ctx = testContext();
    await anActive(ctx, 'ada', bucketsOfDays(10, '2026-03-01'));
    execute(ctx, `UPDATE devices SET trust = 'self_reported'`);
    const projection = new Projection();
    projection.refresh(ctx.store);

    expect(windowOf(projection, ctx).find('yield', 'ada')).toBeNull();
  });

  test('knows nobody who enrolled and sent nothing', async () => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');

    expect(publish(ctx).window('all_time').find('yield', 'ada')).toBeNull();
  });
});

describe('Projection.projectAll()', () => {
  test('is the same to the byte each time', async () => {
    const ctx = await aBoard();

    expect(serialize(projected(ctx)).equals(serialize(projected(ctx)))).toBe(true);
  });

  test('survives being stored and sent between threads', async () => {
    const columns = projected(await aBoard());
    const stored = deserialize(serialize(columns)) as WindowColumns[];
    const sent = structuredClone(columns, { transfer: columns.flatMap(buffersOf) });

    expect(stored).toEqual(sent);
    const boards = [stored, sent].map(([, month]) => {
      const board = new PublishedWindow(month as WindowColumns);
      return METRIC_NAMES.map((metric) => [board.entries(metric, 0, 9), board.unranked(metric, 9)]);
    });
    expect(boards[0]).toEqual(boards[1]);
  });

  test('has totals that grow with the window', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const dayAgo = fc.constantFrom(0, 6, 7, 29, 30, 89, 90, 400);

    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(dayAgo, { minLength: 1 }), async (days) => {
        const buckets = days.map((ago) => {
          const day = new Date(Date.parse(TODAY) - ago * 86_400_000).toISOString().slice(0, 10);
          return aBucket({ day });
        });
        const correction = { tool: 'claude-code', from: '2024-01-01', to: TODAY };
        await submit(ctx, device, buckets, { correction });

        const totals = WINDOWS.map((name) => {
          return publish(ctx).window(name).find('yield', 'ada')?.totals.total ?? 0;
        });

        const within = (length: number) => days.filter((ago) => ago < length).length * 1_111_100;
        expect(totals).toEqual([within(7), within(30), within(90), within(Infinity)]);
        expect(totals).toEqual([...totals].sort((a, b) => a - b));
      }),
      { numRuns: 20 },
    );
  });
});

describe('publicationOf()', () => {
  test('says what it was computed from and when the next one comes', async () => {
    const publication = publish(await aBoard(), 7);

    expect(publication).toMatchObject({
      id: 7,
      log_index: 17,
      as_of: TODAY,
      ruleset: '1',
      generated_at: NOW,
      next_refresh_at: '2026-03-10T12:05:00.000Z',
    });
  });

  test('lists ranked and unranked operators as the schema says', async () => {
    const board = publish(await aBoard()).window('30d');

    const [ada, bob, eve] = board.entries('yield', 0, 10);
    expect([ada, bob, eve].map((entry) => [entry?.codename, entry?.rank])).toEqual([
      ['ada', 1],
      ['bob', 2],
      ['eve', 2],
    ]);
    expect(BoardEntry.parse(ada)).toEqual({
      rank: 1,
      codename: 'ada',
      display_name: null,
      trust: 'signed',
      metrics: {
        yield: 16_528.9256198,
        leverage: 909.090909091,
        velocity: 18.1818181818,
        snr: 0.947867298578,
        dev10x: 2.95860731484,
      },
      totals: {
        input: 22_000,
        output: 400_000,
        cache_write: 2_000_000,
        cache_read: 20_000_000,
        total: 22_422_000,
      },
      coverage: 1,
      active_days: 20,
      tools: ['claude-code'],
      last_active: '2026-03-06',
    });
    const unranked = board.unranked('yield', 10);
    expect(unranked.map((entry) => UnrankedEntry.parse(entry).codename)).toEqual(['cat', 'dan']);
    expect(unranked[0]).toMatchObject({ coverage: 0, active_days: 0, metrics: { yield: null } });
    expect(unranked[1]?.reasons).toEqual([
      { code: 'active_days_low', required: 7, actual: 3 },
      { code: 'output_low', required: 50_000, actual: 30_000 },
    ]);
  });

  test('ranks by velocity whoever does not report the cache', async () => {
    const board = publish(await aBoard()).window('30d');

    expect(board.entries('velocity', 0, 10).map(({ codename }) => codename)).toEqual([
      'ada',
      'bob',
      'eve',
      'cat',
    ]);
  });

  test('finds every operator where the lists have it, in every window and metric', async () => {
    const publication = publish(await aBoard());
    const boards = WINDOWS.map((name) => publication.window(name));

    const pairs = boards.flatMap((board) =>
      METRIC_NAMES.flatMap((metric) =>
        [...board.entries(metric, 0, 99), ...board.unranked(metric, 99)].map((entry) => [
          board.find(metric, entry.codename),
          entry,
        ]),
      ),
    );

    expect(pairs).toHaveLength(WINDOWS.length * METRIC_NAMES.length * 5);
    expect(pairs.map(([found]) => found)).toEqual(pairs.map(([, entry]) => entry));
  });

  test.each(['aaa', 'bzz', 'zed', '', 'ADA'])('finds nobody called "%s"', async (codename) => {
    expect(
      publish(await aBoard())
        .window('30d')
        .find('yield', codename),
    ).toBeNull();
  });

  test('counts and pages both lists', async () => {
    const board = publish(await aBoard()).window('30d');

    expect([board.total('yield'), board.unrankedTotal('yield')]).toEqual([3, 2]);
    expect(board.entries('yield', 1, 1)).toMatchObject([{ codename: 'bob' }]);
    expect(board.entries('yield', 3, 10)).toEqual([]);
    expect(board.entries('yield', 99_999, 10)).toEqual([]);
    expect(board.unranked('yield', 1)).toMatchObject([{ codename: 'cat' }]);
  });

  test('is a board of nobody before anybody came', () => {
    const board = publish(testContext()).window('7d');

    expect([board.total('snr'), board.unrankedTotal('snr')]).toEqual([0, 0]);
    expect(board.find('snr', 'ada')).toBeNull();
  });
});

describe('jsonColumn()', () => {
  test('gives back each value', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const column = jsonColumn(values);

        expect(values.map((_, index) => jsonAt(column, index))).toEqual(
          JSON.parse(JSON.stringify(values)),
        );
      }),
    );
  });
});
