import { beforeEach, describe, expect, test } from 'vitest';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publishAndKeep,
  rankBy,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import {
  type ForgedEntry,
  aSmallLog,
  exportOf,
  forge,
  forgeLog,
  signAnew,
  verify,
} from '#tests/support/board/public-log.ts';

let ctx: TestContext;
let lines: string[];

/** Created once. No test changes it. */
let made: ReturnType<typeof aSmallLog> | null = null;
beforeEach(async () => {
  made ??= aSmallLog();
  ({ ctx, lines } = await made);
});

const at = (text: string) => lines.findIndex((line) => line.includes(text));

describe('a board without intervals', () => {
  type Place = (number | null)[];
  const isRow = (text: string) => text.startsWith('{"line":"standing"');
  /** Reversed ranks, without intervals that would reveal it. */
  const withoutIntervals = (text: string) =>
    forge(text, (line) => {
      const windows = line['windows'] as Record<string, Record<string, Place>>;
      for (const place of Object.values(windows).flatMap((places) => Object.values(places))) {
        if (place[0] !== null) place[0] = 9;
        place[2] = place[3] = null;
      }
    });

  test('is never accepted as the current one', () => {
    const all = lines.map((text) => (isRow(text) ? withoutIntervals(text) : text));
    const one = lines.with(
      at('"line":"standing"'),
      withoutIntervals(lines[at('"line":"standing"')] ?? ''),
    );
    for (const forged of [all, one]) {
      const { codes, boards } = verify(signAnew(ctx, forged));
      expect(new Set(codes)).toEqual(new Set(['standing', 'rank']));
      expect(boards.at(-1)?.is_sound).toBe(false);
    }
  });

  /** The log of two days, in which the rows of the first have no intervals. */
  async function anEarlyDay(change: (text: string, row: number) => string = withoutIntervals) {
    const own = testContext();
    rankBy(own, RULESET);
    await submit(own, await anEnrolledDevice(own, 'ada'), bucketsOfDays(7, '2026-03-04'));
    const bob = await anEnrolledDevice(own, 'bob');
    await submit(own, bob, bucketsOfDays(7, '2026-03-04', { input: 9 }));
    publishAndKeep(own);
    own.clock.nowMs += 86_400_000;
    publishAndKeep(own);
    const exported = exportOf(own);
    const first = exported.findIndex((text) => text.includes('"kept":"daily"'));
    const after = exported.findIndex((text) => text.includes('"kept":"current"'));
    const early = exported.map((text, index) => {
      return index > first && index < after ? change(text, index - first - 1) : text;
    });
    return { own, early, daily: first };
  }
  const beforeIntervals = (entries: ForgedEntry[]) =>
    entries.map((entry) => {
      if (entry.kind !== 'ruleset') return entry;
      const { interval, ...rest } = JSON.parse(entry.payload ?? '') as Record<string, unknown>;
      expect(interval).toBeDefined();
      return { ...entry, payload: JSON.stringify(rest) };
    });

  test('is accepted only for a day whose age the log proves', async () => {
    const { own, early } = await anEarlyDay();
    const old = verify(forgeLog(own, early, beforeIntervals));
    const young = verify(signAnew(own, early));

    expect(old.codes).toEqual([]);
    expect(old.boards).toMatchObject([{ extent: 'not' }, { extent: 'fully' }]);
    expect(new Set(young.codes)).toEqual(new Set(['standing', 'rank']));
  });

  test('has none in any row', async () => {
    const onlyFirst = (text: string, row: number) => (row === 0 ? withoutIntervals(text) : text);
    const { own, early } = await anEarlyDay(onlyFirst);
    const { codes } = verify(forgeLog(own, early, beforeIntervals));
    expect(codes).toContain('board_stated');
  });

  test('is not valid without any board', () => {
    const header = forge(lines[0] as string, (line) => (line['as_of'] = null));
    const none = lines.with(0, header).filter((text) => !/^{"line":"(board|standing)"/.test(text));
    expect(verify(signAnew(ctx, none)).codes).toEqual(['board_missing']);
  });
});
