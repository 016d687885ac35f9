/** `opbench verify URL` downloads only what is new since its last successful check. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type Installation, anInstallation, daysAgo } from '#tests/support/agent/installation.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aStandBetween } from '#tests/support/http/stand-between.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

async function aSubmitter(server: RunningServer, codename: string, input: number) {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const buckets = bucketsOfDays(9, daysAgo(9), { input });
  await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  return cookie;
}

/** The last entry in the board's file. */
async function lastInFile(url: string): Promise<number> {
  const response = await fetch(`${url}/log.ndjson.gz`);
  if (response.status !== 200) return 0;
  const [header = '{}'] = gunzipSync(Buffer.from(await response.arrayBuffer()))
    .toString()
    .split('\n');
  return (JSON.parse(header) as { log_index?: number }).log_index ?? 0;
}

async function verified(device: Installation, url: string, ...more: string[]) {
  const { status, stdout } = await device.run('verify', url, '--json', ...more);
  const report = JSON.parse(stdout) as { downloaded: string; log_index: number; sound: boolean };
  return { status, ...report };
}

function keptLog({ home }: Installation): string {
  const folder = join(home, '.cache', 'opbench', 'verify');
  return join(folder, readdirSync(folder)[0] ?? '', 'log.ndjson.gz');
}

test('downloads all, nothing or what is new, and all again if an operator has hidden', async () => {
  const between = await aStandBetween();
  const server = await startServer({ env: { BASE_URL: between.url } });
  const { url } = between;
  between.forwardTo(server.url);
  const device = anInstallation();
  const bob = await aSubmitter(server, 'bob', 1000);
  const asked = () => between.asked.splice(0).map(({ path }) => path);
  const first = await eventually(
    () => lastInFile(url),
    (last) => last > 0,
  );

  expect(await verified(device, url)).toMatchObject({ status: 0, downloaded: 'all' });
  asked();
  expect(await verified(device, url)).toMatchObject({ status: 0, downloaded: 'none' });
  expect(asked().filter((path) => path.startsWith('/log'))).toEqual(['/log/boards.ndjson.gz']);

  for (let at = 1; at <= 4; at += 1) await aSubmitter(server, `new-${at}`, 1000 + 100 * at);
  const second = await restartedUntil(server, between.forwardTo, url, first);
  asked();
  expect(await verified(device, url)).toMatchObject({
    status: 0,
    downloaded: 'new',
    log_index: second,
  });
  expect(asked().filter((path) => path.startsWith('/log'))).toEqual([
    '/log/boards.ndjson.gz',
    `/log/tile/entries/000.p/${second}`,
    '/log/payload/000',
  ]);
  const whole = await fetch(`${url}/log.ndjson.gz`);
  const kept = gunzipSync(readFileSync(keptLog(device))).toString();
  expect(kept).toBe(gunzipSync(Buffer.from(await whole.arrayBuffer())).toString());
  expect(await verified(device, url, '--full')).toMatchObject({ status: 0, downloaded: 'all' });

  await fetch(`${server.url}/api/v1/profile`, {
    method: 'POST',
    headers: { Cookie: bob, 'Content-Type': 'application/json', Origin: url },
    body: JSON.stringify({ privacy_mode: 'private' }),
  });
  await eventually(
    () => lastInFile(url),
    (last) => last > second,
  );
  expect(await verified(device, url)).toMatchObject({ status: 0, downloaded: 'all' });
  expect(gunzipSync(readFileSync(keptLog(device))).toString()).not.toContain('bob');

  writeFileSync(keptLog(device), gzipSync('{"line":"entry"}\ngarbage\n'));
  expect(await verified(device, url)).toMatchObject({ status: 0, downloaded: 'all' });
});

/** The board writes its file again when the log has grown by a quarter, which it looks for once a minute. */
async function restartedUntil(
  server: RunningServer,
  forwardTo: (url: string) => void,
  url: string,
  before: number,
): Promise<number> {
  await server.stop();
  const again = await startServer({ dataDir: server.dataDir, env: { BASE_URL: url } });
  forwardTo(again.url);
  Object.assign(server, again);
  return eventually(
    () => lastInFile(url),
    (last) => last > before,
  );
}
