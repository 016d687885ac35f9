import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Days, Leaderboard, LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { OperatorDetail, OperatorQuery } from '#core/contract/operators.ts';
import { readDays } from '#server/board/days.ts';
import { readFeed } from '#server/board/feed.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { readOperator } from '#server/board/operator.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { thinEarlierDays } from '#server/publication/project/keep-days.ts';
import { aDeviceOf, anOutput, runCommand } from '#tests/support/agent/agent.ts';
import { BASE_URL, bucketsOfDays, DAY_MS } from '#tests/support/board/builders.ts';
import { sharing } from '#tests/support/board/cleanup.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf, forge, signAnew, verify } from '#tests/support/board/public-log.ts';
import { aFile, verify as verifyWith } from '#tests/support/board/verify.ts';
import { verified } from '#tests/support/board/whole-board.ts';

/** The place of a row: rank, value, lower and upper bound. */
type Place = (number | null)[];

/** Boards of 10 to 14 March, the first three without values. One operator is anonymous. */
async function aThinnedBoard(): Promise<TestContext> {
  const ctx = testContext();
  for (const [index, name] of ['ada', 'bob', 'cyd', 'dan'].entries()) {
    const days = bucketsOfDays(8, '2026-03-03', { output: 10_000 + 999 * index });
    await submit(ctx, await anEnrolledDevice(ctx, name), days);
  }
  const operator_id = ctx.store.operators.byCodename('cyd')?.id ?? 0;
  ctx.store.transaction(() => changeVisibility(ctx, operator_id, { privacy_mode: 'anonymous' }));
  for (let day = 0; day < 4; day += 1) {
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;
  }
  publishAndKeep(ctx);
  thinEarlierDays(ctx.store, '2026-03-14', 1);
  return ctx;
}

const cleanups: (() => void)[] = [];
afterAll(() => cleanups.forEach((clean) => clean()));

let ctx: TestContext;
let lines: string[];
beforeAll(async () => {
  ctx = await sharing(cleanups, aThinnedBoard);
  lines = exportOf(ctx);
});

const DAY = '2026-03-11';
const read = (query: Record<string, string> = {}) =>
  readLeaderboard(ctx, LeaderboardQuery.parse({ as_of: DAY, ...query }));

describe('a day without values', () => {
  test('returns ranks with null values, and says so', () => {
    const page = read();
    const { codename = '' } = page.entries[0] ?? {};
    const operator = readOperator(ctx, codename, OperatorQuery.parse({ as_of: DAY }));

    expect(Leaderboard.parse(page)).toEqual(page);
    expect(OperatorDetail.parse(operator)).toEqual(operator);
    expect([page.values, operator.values]).toEqual(['thinned', 'thinned']);
    expect(page.entries.map(({ rank }) => rank)).toEqual([1, 2, 3, 4]);
    expect(page.entries.every(({ metrics, interval }) => metrics.yield === null && !interval)).toBe(
      true,
    );
    expect(operator.standing?.metrics.yield).toMatchObject({
      rank: 1,
      value: null,
      interval: null,
      total: 4,
    });
    const { values, entries } = read({ as_of: '2026-03-13' });
    expect([values, entries[0]?.metrics.yield]).toEqual(['kept', expect.any(Number)]);
    expect(read({ as_of: '2026-03-14' }).values).toBe('kept');
  });

  test('is listed with its form, and stays in the feed', async () => {
    const days = readDays(ctx, { limit: 9, format: 'json' });
    const { items } = await readFeed(ctx);

    expect(Days.parse(days)).toEqual(days);
    expect(days.entries.map(({ day, values }) => `${day} ${values}`)).toEqual([
      '2026-03-13 kept',
      '2026-03-12 thinned',
      '2026-03-11 thinned',
      '2026-03-10 thinned',
    ]);
    const item = items.find((one) => one.kind === 'day' && one.day === DAY);
    expect(item).toMatchObject({ entries: [{ rank: 1, value: null, interval: null }, {}, {}, {}] });
  });
});

describe('the public log of thinned days', () => {
  const rowOf = (day: string, name: string) => {
    const board = lines.findIndex((text) => text.includes(`"kept":"daily","as_of":"${day}"`));
    return lines.findIndex((text, at) => at > board && text.includes(`"name":"${name}"`));
  };
  /** The same lines with another place of an operator in 30 days by yield. */
  const withPlace = (day: string, name: string, change: (place: Place) => void) => {
    const at = rowOf(day, name);
    const forged = forge(lines[at] ?? '', (line) => {
      change((line['windows'] as Record<string, Record<string, Place>>)['30d']?.['yield'] as Place);
    });
    return verify(signAnew(ctx, lines.with(at, forged)));
  };

  test('is accepted, and says which boards had no values', () => {
    const { codes, boards } = verify(lines);

    expect(codes).toEqual([]);
    expect(boards.map(({ as_of, values, extent }) => `${as_of} ${values} ${extent}`)).toEqual([
      '2026-03-10 thinned partly',
      '2026-03-11 thinned partly',
      '2026-03-12 thinned partly',
      '2026-03-13 kept partly',
      '2026-03-14 kept partly',
    ]);
    expect(boards[0]?.rows).toEqual({ recomputed: 6, stated: 2 });
  });

  test('is reported by opbench verify', async () => {
    const device = aDeviceOf(ctx);
    const file = aFile(lines.join(''));
    const output = anOutput();

    const { exitCode, report } = await verifyWith(device, file);
    await runCommand(device, 'verify', [file], output);

    expect([exitCode, report['sound']]).toEqual([0, true]);
    const values = (report['boards'] as { values: string }[]).map((board) => board.values);
    expect(values).toEqual(['thinned', 'thinned', 'thinned', 'kept', 'kept']);
    expect(output.results.join('')).toContain('3 older boards without values');
  });

  test('has ranks that are compared with recomputed values', () => {
    for (const rank of [1, 2, 3, 4, 5]) {
      const { codes } = withPlace(DAY, 'dan', (place) => (place[0] = rank));
      expect(codes.includes('rank')).toBe(rank !== 1);
    }
    expect(withPlace(DAY, 'dan', (place) => (place[0] = null)).codes).toContain('rank');
  });

  test('has no values in any row', () => {
    expect(withPlace(DAY, 'dan', (place) => (place[1] = 5)).codes).toContain('board_stated');
  });

  test.each(['2026-03-13', '2026-03-14'])('has all values of %s', (day) => {
    const isRow = (text: string) => text.startsWith('{"line":"standing"');
    const first = lines.findIndex((text) => text.includes(`"as_of":"${day}","log_index"`));
    const last = lines.findIndex((text, at) => at > first && !isRow(text));
    const [row] = lines.slice(first + 1, last);
    const forged = forge(row ?? '', (line) => {
      const windows = Object.values(line['windows'] as Record<string, Record<string, Place>>);
      for (const place of windows.flatMap((places) => Object.values(places))) {
        place[1] = place[2] = place[3] = null;
      }
    });
    const { codes } = verify(signAnew(ctx, lines.with(lines.indexOf(row ?? ''), forged)));

    expect(codes.length).toBeGreaterThan(0);
  });
});

test('a database with thinned days is whole', async () => {
  const settings = { DATA_DIR: ctx.config.dataDir, BASE_URL };

  const { findings, boards, status } = await verified(settings, '--every-day');

  expect([findings, status]).toEqual([[], 0]);
  expect(boards.map(({ values }) => values)).toEqual([
    'thinned',
    'thinned',
    'thinned',
    'kept',
    'kept',
  ]);
});
