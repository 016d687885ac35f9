import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { BoardEntry, UnrankedEntry } from '#core/schema/board.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { publish, testContext } from '#tests/support/board/context.ts';
import { aSmallBoard } from '#tests/support/board/small-board.ts';

const TODAY = '2026-03-10';
const ALL = { from: 0, limit: 99 };

describe('publicationOf()', () => {
  test('states what it was computed from and when the next one is due', async () => {
    const publication = publish(await aSmallBoard(), 7);

    expect(publication).toMatchObject({
      id: 7,
      log_index: 17,
      as_of: TODAY,
      ruleset: '2',
      generated_at: NOW,
      next_refresh_at: '2026-03-10T12:05:00.000Z',
    });
  });

  test('lists ranked and unranked operators according to the schema', async () => {
    const board = publish(await aSmallBoard()).window('30d');

    const [ada, bob, eve] = board.ranked('yield', ALL).entries;
    expect([ada, bob, eve].map((entry) => [entry?.codename, entry?.rank])).toEqual([
      ['ada', 1],
      ['bob', 2],
      ['eve', 2],
    ]);
    expect(BoardEntry.parse(ada)).toEqual({
      rank: 1,
      rank_range: [1, 3],
      movement: { day: null, week: null },
      codename: 'ada',
      display_name: null,
      class_tier: 'falls',
      trust: 'signed',
      metrics: {
        yield: 16_528.9256198,
        leverage: 909.090909091,
        velocity: 18.1818181818,
        snr: 0.947867298578,
        dev10x: 2.95860731484,
      },
      conservative: 8326.2931101,
      interval: [5271.36483649, 51_828.205905],
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
    const board = publish(await aSmallBoard()).window('30d');

    expect(board.ranked('velocity', ALL).entries.map(({ codename }) => codename)).toEqual([
      'ada',
      'bob',
      'eve',
      'cat',
    ]);
  });

  test('finds every operator at the same place as the lists, in every window and metric', async () => {
    const publication = publish(await aSmallBoard());
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
        publish(await aSmallBoard())
          .window('30d')
          .find('yield', codename),
      ).toBeNull();
    },
  );

  test('counts and pages both lists', async () => {
    const board = publish(await aSmallBoard()).window('30d');

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
