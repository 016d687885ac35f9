/** A second machine takes over from a writer. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Submissions } from '#core/contract/submissions.ts';
import { databasePath } from '#server/config/config.ts';
import { ownClaim } from '#server/object-store/writer-claim.ts';
import { readCurrent } from '#server/object-store/current.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { expectOneWriter } from '#tests/support/board/promotion-rounds.ts';
import { built, start } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

async function submissionsOf({ url }: RunningServer): Promise<Submissions> {
  return (await fetch(`${url}/api/v1/submissions`)).json() as Promise<Submissions>;
}

/** Kills a promotion when it has become the writer, but has no database yet. */
async function killOnceClaimed(copy: string, env: Record<string, string> & { DATA_DIR: string }) {
  const { DATA_DIR: dataDir } = env;
  const args = [built('opbench-board.mjs'), 'promote', copy];
  const { child, finished } = start(process.execPath, args, env);
  await eventually(
    async () => ownClaim(dataDir),
    (claim) => claim !== null,
  );
  child.kill('SIGKILL');
  await finished;
  expect(existsSync(databasePath({ dataDir }))).toBe(false);
}

test('nothing that was acknowledged and published is lost, and a writer that was replaced stops', async () => {
  const [times] = await expectOneWriter([{ copy: 'backup', isCutOff: true, sends: 20 }]);
  expect(times?.fenced).toBeLessThan(6);
});

test('a device sends again what was not published, and its owner accepts that it was lost', async () => {
  const s3 = await startS3();
  whenOver(() => void s3.stop());
  const old = await startServer({ env: s3.env });
  const device = anInstallation();
  await enroll(device, old.url, await old.signIn('ada'));
  const submit = async (days: number) => {
    device.logDay(daysAgo(days), COUNTS);
    expect(await device.run('submit')).toMatchObject({ status: 0 });
    const { entries } = await submissionsOf(old);
    return entries[0] ?? expect.fail('nothing was submitted');
  };
  const untilStored = (log_index: number) =>
    eventually(
      () => readCurrent(s3.store),
      (found) => found !== null && found.value.log_size >= log_index,
    );
  await untilStored((await submit(4)).log_index);
  const copy = join(aDataDir(), 'copy.sqlite');
  const env = { DATA_DIR: old.dataDir, BASE_URL: old.url };
  expect(await runAdmin(['backup', copy], env)).toMatchObject({ status: 0 });
  const published = await submit(3);
  await untilStored(published.log_index);
  s3.decide(({ method }) => (method === 'PUT' ? 'break' : 'pass'));
  await submit(2);
  await submit(1);
  await old.stop('SIGKILL');
  s3.decide(() => 'pass');

  const dataDir = aDataDir();
  const own = { ...env, ...s3.env, DATA_DIR: dataDir };
  await killOnceClaimed(copy, own);
  const promoted = await runAdmin(['promote', copy], own);
  const server = await startServer({
    dataDir,
    env: { ...s3.env, PORT: new URL(old.url).port },
  });
  const recovered = await submissionsOf(server);
  const again = await device.run('submit');
  // Somebody else's entry has the place of the other lost submission.
  await enroll(anInstallation(), server.url, await server.signIn('bob'));
  const contradicted = await eventually(
    () => device.run('submit'),
    ({ status }) => status !== 0,
  );
  const accepted = await device.run('submit', '--accept-log');

  expect([promoted.status, promoted.stderr]).toEqual([0, expect.stringContaining('Next:')]);
  expect(recovered).toMatchObject({ total: 2, entries: [published, expect.anything()] });
  expect(again.stderr).toContain('sent again');
  expect((await submissionsOf(server)).total).toBeGreaterThan(2);
  expect(contradicted).toMatchObject({ status: 3 });
  expect(accepted).toMatchObject({ status: 0 });
  expect(await runAdmin(['verify'], { ...env, DATA_DIR: dataDir })).toMatchObject({ status: 0 });
});
