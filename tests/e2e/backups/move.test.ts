/** A board that moves to another host: backed up while its server runs, restored, served and verified. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const BASE_URL = 'http://board.example';
/** What everyone can read, and what only an operator can read. */
const PAGES = [
  '/api/v1/leaderboard',
  '/api/v1/operators/ada',
  '/api/v1/operators/bob/history',
  '/api/v1/submissions',
  '/api/v1/log',
  '/.well-known/opbench-keys.json',
];
const OWN_PAGES = ['/api/v1/me', '/api/v1/devices'];

test('a moved board gives the same responses, recognizes its operators, and proves that nothing is missing', async () => {
  const env = { BASE_URL, REFRESH_SECONDS: '3600' };
  const before = await startServer({ env: { ...env, REFRESH_SECONDS: '0.5' } });
  const cookie = await before.signIn('ada');
  const device = await enrollOverHttp(before, cookie);
  await sent(before, device, bucketsOfDays(9, daysAgo(9)));
  const bob = await enrollOverHttp(before, await before.signIn('bob'));
  await sent(before, bob, bucketsOfDays(9, daysAgo(9), { output: 77_000 }));
  await eventually(
    async () => (await (await fetch(`${before.url}/api/v1/leaderboard`)).json()) as Leaderboard,
    ({ total }) => total === 2,
  );
  const file = join(aDataDir(), 'backup.sqlite');
  const admin = (words: string[], dataDir: string) =>
    runAdmin(words, { DATA_DIR: dataDir, BASE_URL });
  const backedUp = await admin(['backup', file, '--json'], before.dataDir);
  expect(backedUp.status).toBe(0);
  const { log_index, entry_hash } = JSON.parse(backedUp.stdout) as Record<string, string>;
  const log = join(aDataDir(), 'log.ndjson.gz');
  const served = await eventually(
    async () => fetch(`${before.url}/log.ndjson.gz`),
    ({ status }) => status === 200,
  );
  writeFileSync(log, Buffer.from(await served.arrayBuffer()));
  const said = await readAll(before, cookie);
  // A running board can be verified.
  expect(await admin(['verify'], before.dataDir)).toMatchObject({ status: 0, stderr: '' });
  await before.stop();

  const dataDir = aDataDir();
  expect(await admin(['restore', file, '--complete'], dataDir)).toMatchObject({ status: 0 });
  const proof = ['verify', '--head', `${log_index}:${entry_hash}`, '--log', log];
  const verified = await admin(proof, dataDir);
  expect(verified.stdout).toContain('No problems found');
  expect(verified.status).toBe(0);

  const after = await startServer({ dataDir, env });
  // A restored board has no sessions.
  expect(await readAll(after, await after.signIn('ada'))).toEqual(said);
  expect((await sent(after, device, bucketsOfDays(1, daysAgo(1)))).status).toBe(201);
  expect((await admin(['restore', file], dataDir)).status).toBe(3);
  expect((await admin(proof, dataDir)).status).toBe(0);
});

async function sent(
  server: RunningServer,
  device: Awaited<ReturnType<typeof enrollOverHttp>>,
  buckets: ReturnType<typeof bucketsOfDays>,
) {
  return postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
}

async function readAll({ url }: RunningServer, cookie: string): Promise<Record<string, unknown>> {
  const read = async (path: string, headers: Record<string, string>) => {
    const answer = await fetch(url + path, { headers });
    const body: unknown = JSON.parse(await answer.text(), withoutMoments);
    return [path, { status: answer.status, body }] as const;
  };
  return Object.fromEntries(
    await Promise.all([
      ...PAGES.map((path) => read(path, {})),
      ...OWN_PAGES.map((path) => read(path, { Cookie: cookie })),
    ]),
  );
}

/** The data that changes with each publication, even if nothing else does. */
function withoutMoments(name: string, value: unknown): unknown {
  return ['generated_at', 'last_seen_at', 'next_refresh_at'].includes(name) ? undefined : value;
}
