/** What the admin announces with the built command, as readers of the running server see it. */
import { expect, test } from 'vitest';
import type { ChallengeDetail } from '#core/contract/challenges.ts';
import { daysAgo } from '../support/agent/installation.ts';
import { runBuilt } from '../support/http/process.ts';
import { startServer } from '../support/http/server.ts';

test('opbench-board challenge makes, lists and cancels, beside a running server', async () => {
  const { url, dataDir } = await startServer();
  const run = (...args: string[]) =>
    runBuilt('opbench-board.mjs', ['challenge', ...args], { DATA_DIR: dataDir });
  const read = async (id: string) =>
    (await (await fetch(`${url}/api/v1/challenges/${id}`)).json()) as ChallengeDetail;
  const [from, to] = [daysAgo(0), daysAgo(-9)];
  const said = ['--title', 'Ten days', '--description', 'Who is best?', '--metric', 'snr'];
  const create = [...said, '--from', from, '--to', to];

  const made = await run('create', ...create, '--tool', 'codex', '--min-active-days', '5');
  expect([made.status, made.stdout]).toEqual([0, 'ten-days\n']);
  expect(await read('ten-days')).toMatchObject({
    status: 'active',
    metric: 'snr',
    tool: 'codex',
    first_day: from,
    last_day: to,
    eligibility: { active_days: 5, effective_days: 3 },
    total: 0,
  });
  const taken = await run('create', ...create);
  expect([taken.status, taken.stderr]).toEqual([3, expect.stringContaining('give another id')]);

  const table = await run('list');
  expect(table.stdout).toMatch(/^ID +STATUS +FROM +TO +METRIC +TOOL +TITLE\nten-days +active /);
  const json = await run('list', '--json');
  expect(JSON.parse(json.stdout)).toMatchObject([{ id: 'ten-days', status: 'active' }]);

  const cancelled = await run('cancel', 'ten-days', '--reason', 'A mistake');
  expect(cancelled.status).toBe(0);
  expect(await read('ten-days')).toMatchObject({
    status: 'cancelled',
    cancelled_reason: 'A mistake',
  });
});

test.each([
  [[], 1, 'create, list or cancel'],
  [['create', '--title', 'A'], 1, '--description, --metric, --from, --to'],
  [['create', '--colour', 'red'], 1, '--min-coverage'],
  [['list', 'x'], 1, 'challenge list does not take "x"'],
  [['cancel', 'a'], 1, '--reason'],
])('says how it is used after %j', async (args, status, hint) => {
  const ran = await runBuilt('opbench-board.mjs', ['challenge', ...args], {});
  expect([ran.status, ran.stderr]).toEqual([status, expect.stringContaining(hint)]);
});
