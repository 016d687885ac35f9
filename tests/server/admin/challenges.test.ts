import { expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { testContext } from '#tests/support/board/context.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';

test('opbench-board challenge creates, lists and cancels', async () => {
  const { config, store } = testContext();
  const run = (...args: string[]) => runAdmin(['challenge', ...args], { DATA_DIR: config.dataDir });
  const [from, to] = [daysAgo(0), daysAgo(-9)];
  const texts = ['--title', 'Ten days', '--description', 'Who is best?', '--metric', 'snr'];
  const create = [...texts, '--from', from, '--to', to];

  const made = await run(
    'create',
    ...create,
    '--tool',
    'codex',
    '--min-active-days',
    '5',
    '--min-stated-days',
    '0.8',
  );
  expect([made.status, made.stdout]).toEqual([0, 'ten-days\n']);
  expect(store.challenges.byId('ten-days')).toMatchObject({
    metric: 'snr',
    tool: 'codex',
    first_day: from,
    last_day: to,
    eligibility: { active_days: 5, effective_days: 3, stated_days: 0.8 },
  });
  const taken = await run('create', ...create);
  expect([taken.status, taken.stderr]).toEqual([3, expect.stringContaining('Choose another ID')]);

  const table = await run('list');
  expect(table.stdout).toMatch(
    /^ID +STATUS +FROM +TO +METRIC +TOOL +REPEATS +TITLE\nten-days +active /,
  );
  const json = await run('list', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ id: 'ten-days', status: 'active' }]);

  expect((await run('cancel', 'ten-days', '--reason', 'A mistake')).status).toBe(0);
  const cancelled = await run('list', '--json');
  expect(JSON.parse(cancelled.stdout)).toMatchObject([{ id: 'ten-days', status: 'cancelled' }]);
});

test.each([
  [[], 'create, edit, list, cancel or stop'],
  [['create', '--title', 'A'], '--description, --metric, --from, --to'],
  [['create', '--colour', 'red'], '--min-coverage'],
  [['list', 'x'], 'challenge list does not take "x"'],
  [['cancel', 'a'], '--reason'],
])('explains its usage after %j', async (args, hint) => {
  const ran = await runAdmin(['challenge', ...args]);
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining(hint)]);
});
