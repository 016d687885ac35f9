/** A second machine takes over from a writer. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Submissions } from '#core/contract/submissions.ts';
import { readCurrent } from '#server/object-store/current.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { expectOneWriter } from '#tests/support/board/promotion-rounds.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

async function submissionsOf({ url }: RunningServer): Promise<Submissions> {
  return (await fetch(`${url}/api/v1/submissions`)).json() as Promise<Submissions>;
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
      (found) => found !== null && found !== 'unchanged' && found.value.log_size >= log_index,
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
  const promoted = await runAdmin(['promote', copy], { ...env, ...s3.env, DATA_DIR: dataDir });
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
