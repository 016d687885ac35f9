import { describe, expect, test } from 'vitest';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { dayAfter, dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import type { RulesetPreview } from '#server/board/ruleset-preview.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { query, rankBy, testContext } from '#tests/support/board/context.ts';

const TODAY = utcDay(Date.now());
const daysAgo = (days: number) => dayName(dayNumber(TODAY) - days);

/** One count a day for twelve weeks, with the output of the week and day. */
function weeksOf(output: (week: number, day: number) => number) {
  return Array.from({ length: 84 }, (_, at) => {
    return aBucket({ day: daysAgo(at + 1), output: output(Math.floor(at / 7), at % 7) });
  });
}

/**
 * A board under ruleset 1, today. The output of "steady" changes from day to day and is the same every week; that of
 * "swinging" changes from week to week.
 */
function aScene() {
  const ctx = testContext();
  ctx.clock.nowMs = Date.parse(`${dayAfter(TODAY)}T00:00:00.000Z`) - 1;
  rankBy(ctx, RULESET);
  anActive(
    ctx,
    'swinging',
    weeksOf((week) => 30_000 * (1 + (week % 2))),
  );
  anActive(
    ctx,
    'steady',
    weeksOf((_, day) => 31_300 * (1 + (day % 2))),
  );
  anActive(ctx, 'short', weeksOf(() => 1000).slice(0, 3));
  const run = (...args: string[]) =>
    runAdmin(['ruleset', ...args], { DATA_DIR: ctx.config.dataDir });
  const json = async (...args: string[]) => {
    return JSON.parse((await run(...args, '--json')).stdout) as RulesetPreview;
  };
  return { ctx, run, json };
}

describe('opbench-board ruleset preview', () => {
  test('shows who moves and why, and changes nothing', async () => {
    const { ctx, run, json } = aScene();
    const head = ctx.store.log.head();

    const preview = await json('preview', '--window', '90d');
    expect(preview).toMatchObject({
      before: '1',
      after: '2',
      metric: 'yield',
      window: '90d',
      as_of: TODAY,
      ranked: { before: 2, after: 2 },
      unchanged: 0,
      moves: [
        { codename: 'steady', before: { rank: 2 }, after: { rank: 1 }, why: 'narrower' },
        { codename: 'swinging', before: { rank: 1 }, after: { rank: 2 }, why: 'wider' },
      ],
    });
    const { status, stdout, stderr } = await run('preview', '--window', '90d', '--limit', '1');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d: 2 ranked before, 2 after\. 0 keep .*, 2 do not\.$/m);
    expect(stdout).toMatch(
      /^2, then 1 +steady .* its interval becomes narrower, relative to others$/m,
    );
    expect(stdout).toContain('1 more with a higher --limit.\n');
    expect(stdout).not.toContain('swinging');
    expect(stderr).toContain('opbench-board ruleset switch --to 2');
    expect(ctx.store.log.head()).toEqual(head);
    expect(query(ctx, 'SELECT 1 FROM publications')).toEqual([]);
  });

  test('of the rules that the board has', async () => {
    const { json, run } = aScene();
    expect(await json('preview', '--to', '1')).toMatchObject({ unchanged: 2, moves: [] });
    expect((await run('preview', '--to', '1')).stderr).toContain('already ranks by version 1');
  });

  test.each([
    [['preview', '--to', '3'], '--to takes one of 1, 2'],
    [['preview', '--metric', 'tokens'], '--metric takes one of yield, '],
    [['switch', '2'], 'ruleset switch does not take "2". It takes --to and --json'],
    [['show'], 'preview'],
  ])('%j exits with 1 and says: %s', async (args, text) => {
    const { status, stdout, stderr } = await aScene().run(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(text);
  });
});

test('opbench-board ruleset switch applies from the next start on', async () => {
  const { ctx, run, json } = aScene();
  const head = ctx.store.log.head();

  expect(await json('switch')).toEqual({ before: '1', after: '2' });
  expect(ctx.store.log.head()).toEqual(head);
  expect(ctx.store.boardSettings.all()).toMatchObject([{ name: 'ruleset', value: '2' }]);
  const { stderr } = await run('switch');
  expect(stderr).toContain('ranks by version 2 from its next start on. Restart it now.');
  expect((await run('switch', '--to', '1')).stderr).toContain('also after its next start');
});
