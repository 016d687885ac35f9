import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
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
import { aSmallBoard, aSubmitter } from '#tests/support/board/small-board.ts';

const TODAY = '2026-03-10';
const ALL = { from: 0, limit: 99 };

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
    const ctx = await aSmallBoard();
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
    const ctx = await aSmallBoard();
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

  test('leaves out self-reports', () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(10, '2026-03-01'), 'self_reported');
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
    const ctx = await aSmallBoard();

    expect(shownBy(ctx, projected(ctx))).toEqual(shownBy(ctx, projected(ctx)));
  });

  test('is sent between threads without being copied', async () => {
    const ctx = await aSmallBoard();
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
    const ctx = await aSmallBoard();
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
