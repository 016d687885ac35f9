import { describe, expect, test } from 'vitest';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { testContext } from '#tests/support/board/context.ts';

const inDays = (days: number) => utcDay(Date.now() + days * DAY_MS);

function aScene() {
  const ctx = testContext();
  const announce = (...args: string[]) => {
    return runAdmin(['announce', ...args], { DATA_DIR: ctx.config.dataDir });
  };
  const json = async (...args: string[]) => {
    return JSON.parse((await announce(...args, '--json')).stdout) as Record<string, unknown>;
  };
  return { ctx, announce, json };
}

describe('opbench-board announce', () => {
  test('sets, shows, replaces and clears the announcement', async () => {
    const { ctx, announce, json } = aScene();
    const until = inDays(3);
    const set = await json('set', 'Maintenance', '--until', until, '--link', '/docs');
    expect(set).toMatchObject({ text: 'Maintenance', link: '/docs' });
    expect(set['ends_at']).toBe(`${inDays(4)}T00:00:00.000Z`);
    expect(await json('show')).toEqual({ announcement: set });

    const replaced = await announce('set', 'It is over', '--until', until);
    expect([replaced.status, replaced.stdout]).toEqual([
      0,
      `It is over\nEnds: ${inDays(4)}T00:00:00.000Z\n`,
    ]);
    expect((await announce('show')).stdout).toBe(replaced.stdout);

    expect(await json('clear')).toEqual({ announcement: null });
    expect(await json('show')).toEqual({ announcement: null });
    expect((await announce('clear')).status).toBe(3);
    expect(ctx.store.auditLog.newest(9).map(({ action, via }) => [action, via])).toEqual([
      ['announcement_end', 'command'],
      ['announcement_set', 'command'],
      ['announcement_set', 'command'],
    ]);
  });

  test.each([
    [['set', 'Text'], 'announce set needs --until'],
    [['set', '--until', inDays(1)], 'announce set takes one TEXT'],
    [['set', ' ', '--until', inDays(1)], 'TEXT must not be empty'],
    [['set', 'Text', '--until', inDays(-1)], '--until must not be in the past'],
    [['set', 'Text', '--until', inDays(92)], '--until must be at most 90 days from today'],
    [['set', 'Text', '--until', 'tomorrow'], '--until must be a UTC day, YYYY-MM-DD'],
    [['set', 'Text', '--until', inDays(1), '--link', 'javascript:1'], '--link must begin with'],
    [
      ['set', 'Text', '--until', '2020-01-01', '--link', '//x'],
      'such as /challenges; --until must',
    ],
  ])('%j exits with 1 and says: %s', async (args, text) => {
    const { ctx, announce } = aScene();
    const { status, stdout, stderr } = await announce(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(text);
    expect(ctx.store.auditLog.last()).toBe(0);
  });
});
