import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { BoardEntry, UnrankedEntry } from '#core/schema/board.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { Projection } from '#server/publication/projection.ts';
import type { PublicationData } from '#server/publication/state/board-state.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { NOW, aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  publicationIn,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const TODAY = '2026-03-10';
const ALL = { from: 0, limit: 99 };

/** An operator whose device submits these daily counts. */
async function aSubmitter(ctx: TestContext, codename: string, buckets: Bucket[]) {
  const device = await anEnrolledDevice(ctx, codename);
  await submit(ctx, device, buckets);
  return device;
}

/** A board of five: three ranked, two of them in a tie, and two unranked. */
async function aBoard(): Promise<TestContext> {
  const ctx = testContext();
  await aSubmitter(ctx, 'eve', bucketsOfDays(20, '2026-02-15'));
  await aSubmitter(ctx, 'ada', bucketsOfDays(20, '2026-02-15', { output: 20_000 }));
  await aSubmitter(ctx, 'dan', bucketsOfDays(3, '2026-03-05'));
  await aSubmitter(ctx, 'bob', bucketsOfDays(20, '2026-02-15'));
  await aSubmitter(ctx, 'cat', bucketsOfDays(20, '2026-02-15', { cache_read: null }));
  return ctx;
}

const HEAD = { id: 1, log_index: 1, as_of: TODAY, ruleset: '1', generated_at: NOW };

const dataOf = (projection: Projection): PublicationData => ({
  head: HEAD,
  state: projection.project(),
});

function projected(ctx: TestContext): PublicationData {
  const projection = new Projection(ctx.ruleset);
  projection.refresh(ctx.store, TODAY);
  return dataOf(projection);
}

const windowOf = (ctx: TestContext, projection: Projection) =>
  publicationIn(ctx, dataOf(projection)).window('30d');

/** Everything that lists show, and the numbers of the boards. */
function shownBy(ctx: TestContext, data: PublicationData) {
  const publication = publicationIn(ctx, data);
  return data.state.boards.map(({ window, slice, version }) => {
    const board = publication.window(window, slice);
    const lists = METRIC_NAMES.map((metric) => [
      board.ranked(metric, ALL),
      board.unranked(metric, ALL),
    ]);
    return { window, slice, version, lists };
  });
}

describe('Projection.refresh()', () => {
  test('returns the number of log entries that it covers', async () => {
    const ctx = testContext();
    const projection = new Projection(ctx.ruleset);

    expect(projection.refresh(ctx.store, TODAY)).toBe(2);
    await aSubmitter(ctx, 'ada', [aBucket()]);
    expect(projection.refresh(ctx.store, TODAY)).toBe(5);
    expect(projection.refresh(ctx.store, TODAY)).toBe(5);
  });

  test('reads only operators with new log entries', async () => {
    const ctx = await aBoard();
    const projection = new Projection(ctx.ruleset);
    projection.refresh(ctx.store, TODAY);
    const before = windowOf(ctx, projection).find('yield', 'ada');

    execute(ctx, `UPDATE buckets SET output = 1`);
    projection.refresh(ctx.store, TODAY);
    expect(windowOf(ctx, projection).find('yield', 'ada')).toEqual(before);

    execute(
      ctx,
      `INSERT INTO log_entries (log_index, kind, previous, received_at, payload_digest, entry_hash)
       VALUES (99, 'release', '', '', '', '');
       UPDATE operators SET log_index = 99 WHERE codename = 'ada'`,
    );
    expect(projection.refresh(ctx.store, TODAY)).toBe(99);
    expect(windowOf(ctx, projection).find('yield', 'ada')).toMatchObject({
      totals: { output: 20 },
    });
    expect(windowOf(ctx, projection).find('yield', 'bob')).toMatchObject({
      totals: { output: 200_000 },
    });
  });

  test('drops deleted operators', async () => {
    const ctx = await aBoard();
    const projection = new Projection(ctx.ruleset);
    projection.refresh(ctx.store, TODAY);

    execute(ctx, `DELETE FROM operators WHERE codename = 'ada'`);
    projection.refresh(ctx.store, TODAY);

    expect(windowOf(ctx, projection).find('yield', 'ada')).toBeNull();
    expect(windowOf(ctx, projection).total('yield')).toBe(2);
  });

  test('gives the same result step by step as reading everything again', async () => {
    const ctx = testContext();
    const projection = new Projection(ctx.ruleset);
    const ada = await aSubmitter(ctx, 'ada', bucketsOfDays(9, '2026-03-01'));
    projection.refresh(ctx.store, TODAY);
    await aSubmitter(ctx, 'bob', bucketsOfDays(10, '2026-03-01'));
    projection.refresh(ctx.store, TODAY);
    await submit(ctx, ada, [aBucket({ day: '2026-03-10', output: 77_777 })]);
    projection.refresh(ctx.store, TODAY);

    expect(shownBy(ctx, dataOf(projection))).toEqual(shownBy(ctx, projected(ctx)));
  });

  test('leaves out self-reports', async () => {
    const ctx = testContext();
    await aSubmitter(ctx, 'ada', bucketsOfDays(10, '2026-03-01'));
    execute(ctx, `UPDATE devices SET trust = 'self_reported'`);
    const projection = new Projection(ctx.ruleset);
    projection.refresh(ctx.store, TODAY);

    expect(windowOf(ctx, projection).find('yield', 'ada')).toBeNull();
  });

  test('leaves out operators who enrolled but never submitted', async () => {
    const ctx = testContext();
    await anEnrolledDevice(ctx, 'ada');

    expect(publish(ctx).window('all_time').find('yield', 'ada')).toBeNull();
  });
});

describe('Projection.project()', () => {
  test('is the same each time', async () => {
    const ctx = await aBoard();

    expect(shownBy(ctx, projected(ctx))).toEqual(shownBy(ctx, projected(ctx)));
  });

  test('is sent between threads without being copied', async () => {
    const ctx = await aBoard();
    const data = projected(ctx);
    const sent = structuredClone(data);

    expect(shownBy(ctx, sent)).toEqual(shownBy(ctx, data));
    const columns = ({ state }: PublicationData) => [
      ...state.numbers,
      ...Object.values(state.operators),
      ...state.boards.flatMap(({ orders }) => Object.values(orders).flatMap(Object.values)),
    ];
    for (const column of columns(sent) as Uint32Array[]) {
      expect(column.buffer).toBeInstanceOf(SharedArrayBuffer);
    }
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

describe('the boards', () => {
  test('contain no second copy of the signed boards without self-reports', async () => {
    const ctx = await aBoard();
    expect(projected(ctx).state.boards).toHaveLength(2 * WINDOWS.length);

    anActive(ctx, 'fay', [aBucket()], 'self_reported');
    const { boards, self_reported } = projected(ctx).state;

    expect(self_reported).toBe(true);
    expect(boards).toHaveLength(4 * WINDOWS.length);
  });

  test('follow the end of a day, even without a new entry', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(7, '2026-03-04'));
    const projection = new Projection(ctx.ruleset);
    const activeDays = (as_of: string) => {
      projection.refresh(ctx.store, as_of);
      const data = { ...dataOf(projection), head: { ...HEAD, as_of } };
      const board = publicationIn(ctx, data).window('7d');
      return board.find('yield', 'ada')?.active_days;
    };

    expect(['2026-03-10', '2026-03-11', '2026-03-10'].map(activeDays)).toEqual([7, 6, 7]);
  });

  test('count active devices', async () => {
    const ctx = testContext();
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket()]);
    await anEnrolledDevice(ctx, 'ada');
    const devices = () => publish(ctx).operators.devicesAt(0);
    expect(devices()).toBe(2);

    const [key] = ctx.store.devices.keysOfOperator(1);
    ctx.store.devices.revokeKey(key?.keyid ?? '', 'revoked', NOW);

    expect(devices()).toBe(1);
  });
});

describe('publicationOf()', () => {
  test('states what it was computed from and when the next one is due', async () => {
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

  test('lists ranked and unranked operators according to the schema', async () => {
    const board = publish(await aBoard()).window('30d');

    const [ada, bob, eve] = board.ranked('yield', ALL).entries;
    expect([ada, bob, eve].map((entry) => [entry?.codename, entry?.rank])).toEqual([
      ['ada', 1],
      ['bob', 2],
      ['eve', 2],
    ]);
    expect(BoardEntry.parse(ada)).toEqual({
      rank: 1,
      rank_range: [1, 1],
      movement: { day: null, week: null },
      codename: 'ada',
      display_name: null,
      class_tier: 'cataract',
      trust: 'signed',
      metrics: {
        yield: 16_528.9256198,
        leverage: 909.090909091,
        velocity: 18.1818181818,
        snr: 0.947867298578,
        dev10x: 2.95860731484,
      },
      // Equal days leave no uncertainty.
      interval: [16_528.9256198, 16_528.9256198],
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
    const unranked = board.unranked('yield', ALL).entries;
    expect(unranked.map((entry) => UnrankedEntry.parse(entry).codename)).toEqual(['cat', 'dan']);
    expect(unranked[0]).toMatchObject({ coverage: 0, active_days: 0, metrics: { yield: null } });
    expect(unranked[1]?.reasons).toMatchObject([
      { code: 'active_days_low', required: 7, actual: 3 },
      { code: 'output_low', required: 50_000, actual: 30_000 },
    ]);
  });

  test('ranks operators without cache reads by velocity', async () => {
    const board = publish(await aBoard()).window('30d');

    expect(board.ranked('velocity', ALL).entries.map(({ codename }) => codename)).toEqual([
      'ada',
      'bob',
      'eve',
      'cat',
    ]);
  });

  test('finds every operator at the same place as the lists, in every window and metric', async () => {
    const publication = publish(await aBoard());
    const boards = WINDOWS.map((name) => publication.window(name));

    const pairs = boards.flatMap((board) =>
      METRIC_NAMES.flatMap((metric) =>
        [...board.ranked(metric, ALL).entries, ...board.unranked(metric, ALL).entries].map(
          (entry) => [board.find(metric, entry.codename), entry],
        ),
      ),
    );

    expect(pairs).toHaveLength(WINDOWS.length * METRIC_NAMES.length * 5);
    expect(pairs.map(([found]) => found)).toEqual(pairs.map(([, entry]) => entry));
  });

  test.each(['aaa', 'bzz', 'zed', '', 'ADA'])(
    'finds no operator with the name "%s"',
    async (codename) => {
      expect(
        publish(await aBoard())
          .window('30d')
          .find('yield', codename),
      ).toBeNull();
    },
  );

  test('counts and pages both lists', async () => {
    const board = publish(await aBoard()).window('30d');

    expect([board.total('yield'), board.unrankedTotal('yield')]).toEqual([3, 2]);
    const [one, last, behind] = [1, 2, 99_999].map((from) =>
      board.ranked('yield', { from, limit: 1 }),
    );
    expect(one).toMatchObject({ entries: [{ codename: 'bob' }], next: 2 });
    expect(last).toMatchObject({ entries: [{ codename: 'eve' }], next: null });
    expect(behind).toEqual({ entries: [], next: null });
    expect(board.unranked('yield', { from: 0, limit: 1 })).toMatchObject({
      entries: [{ codename: 'cat' }],
      next: 1,
    });
  });

  test('is empty before anyone has submitted', () => {
    const board = publish(testContext()).window('7d');

    expect([board.total('snr'), board.unrankedTotal('snr')]).toEqual([0, 0]);
    expect(board.find('snr', 'ada')).toBeNull();
  });
});
