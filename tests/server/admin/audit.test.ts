import { describe, expect, test } from 'vitest';
import { setRole } from '#server/operator/set-role.ts';
import { BOARD, audit } from '#server/process/admin-actions.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';

function aScene() {
  const ctx = testContext();
  const by = { operator_id: anOperator(ctx, 'ada').id, via: 'page' } as const;
  anOperator(ctx, 'eve');
  ctx.clock.nowMs = Date.parse('2026-03-09T12:00:00Z');
  setRole(ctx, { name: 'ada', role: 'admin' });
  ctx.clock.nowMs = Date.parse('2026-03-10T12:00:00Z');
  setRole(ctx, { name: 'eve', role: 'moderator', by });
  const about = { subject: '/backups/1', operator_id: null, reason: null };
  audit(ctx.store, { action: 'backup', ...about, now: ctx.now(), by: BOARD });
  const list = (...args: string[]) => {
    return runAdmin(['audit', ...args], { DATA_DIR: ctx.config.dataDir });
  };
  return { ctx, list };
}

describe('opbench-board audit', () => {
  test('says who acted', async () => {
    const { list } = aScene();
    expect((await list()).stdout.split('\n')).toEqual([
      '2026-03-10T12:00:00.000Z backup /backups/1, by the board',
      '2026-03-10T12:00:00.000Z role eve, by ada: operator → moderator',
      '2026-03-09T12:00:00.000Z role ada: operator → admin',
      '',
    ]);
  });

  test.each([
    [['--who', 'ada'], ['eve']],
    [['--via', 'board'], ['/backups/1']],
    [
      ['--action', 'role'],
      ['eve', 'ada'],
    ],
    [['--subject', 'ad'], ['ada']],
    [
      ['--since', '2026-03-10'],
      ['/backups/1', 'eve'],
    ],
    [['--until', '2026-03-09'], ['ada']],
    [['--action', 'role', '--limit', '1'], ['eve']],
  ])('%j lists %j', async (args, expected) => {
    const { stdout } = await aScene().list(...args, '--json');
    const { entries } = JSON.parse(stdout) as { entries: { subject: string }[] };
    expect(entries.map(({ subject }) => subject)).toEqual(expected);
  });

  test.each([
    [['--action', 'hidden'], '--action takes one of announcement_end, announcement_set, backup,'],
    [['--via', 'browser'], '--via takes one of board, command, page, setup'],
    [['--since', '2026-02-30'], '--since must be a UTC day, YYYY-MM-DD'],
    [['--until', 'today'], '--until must be a UTC day, YYYY-MM-DD'],
    [['--since', '2026-03-02', '--until', '2026-03-01'], '--until must not be before --since'],
  ])('%j exits with 1 and says: %s', async (args, text) => {
    const { status, stdout, stderr } = await aScene().list(...args);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain(text);
  });

  test('says that a filter selects nothing', async () => {
    const { list } = aScene();
    const { status, stdout, stderr } = await list('--who', 'eve');
    expect([status, stdout, stderr]).toEqual([0, '', 'No admin actions match the filter.\n']);
  });
});
