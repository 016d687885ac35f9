import { expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { anOperator, testContext } from '#tests/support/board/context.ts';

test('opbench-board admin adds, lists and removes admins and moderators', async () => {
  const ctx = testContext();
  anOperator(ctx, 'ada');
  const { id } = anOperator(ctx, 'eve');
  const run = (...words: string[]) => runAdmin(words, { DATA_DIR: ctx.config.dataDir });
  const json = async (...words: string[]): Promise<unknown> => {
    return JSON.parse((await run(...words, '--json')).stdout);
  };

  expect((await run('admin', 'list')).stderr).toContain('There are no admins');
  expect(await json('admin', 'add', 'ada')).toEqual({
    codename: 'ada',
    role: 'admin',
    earlier_role: 'operator',
  });
  expect((await run('admin', 'add', 'eve', '--role', 'moderator')).status).toBe(0);
  expect((await run('admin', 'list')).stdout).toBe(
    'CODENAME  ROLE\nada       admin\neve       moderator\n',
  );
  expect(await run('admin', 'add', 'eve', '--role', 'king')).toMatchObject({ status: 1 });
  const last = await run('admin', 'remove', 'ada');
  expect([last.status, last.stderr]).toEqual([3, expect.stringContaining('only admin')]);
  expect(last.stderr).toContain('opbench-board admin add NAME');
  expect((await run('admin', 'remove', 'eve')).stderr).toBe('eve is not a moderator any more.\n');
  expect(await json('audit', '--limit', '1')).toMatchObject({
    entries: [{ action: 'role', subject: 'eve', actor: null, via: 'command' }],
  });

  const cookie = (await ctx.sessions.start(id)).split(';')[0] ?? '';
  expect(await json('end-sessions', 'eve')).toEqual({ codename: 'eve', ended: 1 });
  expect(await ctx.sessions.read(cookie)).toBe(null);
});
