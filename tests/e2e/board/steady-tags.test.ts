/** Entity tags over days on which nobody submits, on the built server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const PRELOADED = new URL('../../support/http/set-clock.mjs', import.meta.url).href;
const MARKDOWN = { Accept: 'text/markdown' };

/** Pages, API answers and files that do not change without submissions, with request headers. */
const SETTLED: readonly (readonly [string, Record<string, string>?])[] = [
  ['/'],
  ['/index.md'],
  ['/', MARKDOWN],
  ['/leaderboard/all_time/yield'],
  ['/leaderboard/30d/yield', { 'Accept-Encoding': 'br' }],
  ['/leaderboard/30d/yield', { 'Accept-Encoding': 'identity' }],
  ['/operators/ada'],
  ['/operators/ada.md'],
  ['/metrics'],
  ['/hall-of-signal'],
  ['/api/v1/leaderboard'],
  ['/api/v1/leaderboard?window=all_time&limit=1'],
  ['/api/v1/leaderboard?window=all_time&format=csv'],
  ['/api/v1/operators/ada?window=all_time'],
  ['/api/v1/operators/ada/peers'],
  ['/api/v1/metrics/leaders'],
  ['/api/v1/hall-of-signal'],
  ['/feed.atom'],
  ['/llms.txt'],
  ['/open-graph.png'],
];

/** A server whose clock can be set. */
async function aServerWithClock() {
  const dataDir = aDataDir();
  const CLOCK_FILE = join(dataDir, 'clock');
  const env = { REFRESH_SECONDS: '0.1', NODE_OPTIONS: `--import=${PRELOADED}`, CLOCK_FILE };
  const server = await startServer({ dataDir, env });
  const setDays = async (days: number) => {
    writeFileSync(CLOCK_FILE, String(days * DAY_MS));
    await until(server, ({ as_of }) => as_of === daysAgo(-days));
  };
  return { server, setDays };
}

/** Waits for the expected state of the board, and reads it. */
function until({ url }: RunningServer, isSo: (board: Leaderboard) => boolean) {
  const read = async () =>
    (await fetch(`${url}/api/v1/leaderboard`)).json() as Promise<Leaderboard>;
  return eventually(read, isSo);
}

/** An operator whose device submits days that are long over. */
async function aSender(server: RunningServer, codename: string, output: number) {
  const device = await enrollOverHttp(server, await server.signIn(codename));
  return async (day = 0) => {
    const issued_at = new Date(Date.now() + day * DAY_MS).toISOString();
    const buckets = bucketsOfDays(20, '2024-03-01', { output });
    const payload = aLivePayload(server, buckets, { issued_at });
    const { status, body } = await postSnapshot(server, await device.seal(payload));
    expect(status).toBe(201);
    await until(server, ({ log_index }) => log_index >= body.log_index);
  };
}

const ask = async ({ url }: RunningServer, path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(url + path, { headers });
  const text = await answer.text();
  return { status: answer.status, etag: answer.headers.get('etag') ?? '', text };
};

test('a board without changes answers 304 for days, and a submission changes only the affected tags', async () => {
  const { server, setDays } = await aServerWithClock();
  const sendCat = await aSender(server, 'cat', 5000);
  await (
    await aSender(server, 'ada', 20_000)
  )();
  await (
    await aSender(server, 'bob', 10_000)
  )();
  await setDays(1);
  const held = await Promise.all(
    SETTLED.map(async ([path, headers]) => ({
      path,
      headers,
      ...(await ask(server, path, headers)),
    })),
  );
  const statuses = () =>
    Promise.all(
      held.map(async ({ path, headers, etag }) => {
        const { status } = await ask(server, path, { ...headers, 'If-None-Match': etag });
        return `${status} ${path}`;
      }),
    );

  for (const day of [2, 3, 4]) {
    await setDays(day);
    expect([day, ...(await statuses())]).toEqual([day, ...held.map(({ path }) => `304 ${path}`)]);
  }
  // A page with a cursor is not cached longer than the cursor works.
  const paged = await fetch(`${server.url}/api/v1/leaderboard?window=all_time&limit=1`);
  expect(paged.headers.get('cache-control')).toBe('public, max-age=0');
  const { text, etag } = await ask(server, '/api/v1/leaderboard');
  expect(text).not.toBe(held.find(({ path }) => path === '/api/v1/leaderboard')?.text);
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);

  await sendCat(4);
  const after = await statuses();
  expect(after).toEqual(
    held.map(({ path }) => {
      const isOfAllTime = path.startsWith('/api/') || path.includes('all_time');
      return `${isOfAllTime ? 200 : 304} ${path}`;
    }),
  );
});
