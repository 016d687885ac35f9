import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifyBackup } from '#server/backups/backup-file.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

test('a backup during submissions is complete, delays no requests, and works as a board elsewhere', async () => {
  const server = await startServer();
  const device = await enrollOverHttp(server, await server.signIn('ada'));
  const env = { DATA_DIR: server.dataDir, BASE_URL: server.baseUrl };
  const file = join(aDataDir(), 'board.sqlite');
  const statuses: number[] = [];
  let isDone = false;
  const submitting = (async () => {
    while (!isDone) {
      const buckets = bucketsOfDays(5, '2026-03-01', { output: 10_000 + statuses.length });
      const envelope = await device.seal(aLivePayload(server, buckets));
      statuses.push((await postSnapshot(server, envelope)).status);
    }
  })();

  const backup = await runBuilt('opbench-board.mjs', ['backup', file, '--json'], env);
  isDone = true;
  await submitting;

  expect(backup.status).toBe(0);
  const { log_index, entry_hash } = JSON.parse(backup.stdout) as Record<string, unknown>;
  expect(verifyBackup(file).head).toEqual({ log_index, entry_hash });
  expect(statuses.filter((status) => status !== 201)).toEqual([]);
  const refused = await runBuilt('opbench-board.mjs', ['restore', file, '--force'], env);
  expect(refused).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('Stop it') as string,
  });

  const dataDir = aDataDir();
  const elsewhere = { ...env, DATA_DIR: dataDir };
  expect((await runBuilt('opbench-board.mjs', ['restore', file], elsewhere)).status).toBe(0);
  const other = await startServer({ dataDir, env: { BASE_URL: server.baseUrl } });
  const again = await device.seal(aLivePayload(other, bucketsOfDays(5, '2026-03-01')));
  expect((await postSnapshot(other, again)).status).toBe(201);
});
