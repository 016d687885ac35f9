/** Challenges and records on the running server. */
import { expect, test } from 'vitest';
import type { ChallengeDetail } from '#core/contract/challenges.ts';
import type { HallOfSignal } from '#core/contract/hall-of-signal.ts';
import { atomFaults } from '#tests/support/pages/xml.ts';
import { announceOn } from '#tests/support/board/contests.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { aFullBoard } from '#tests/support/http/contract-board.ts';
import { runBuilt } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';

const HOSTILE = 'First line\n<script>alert(1)</script> & "so on"';

/** Creates a challenge of each status except canceled. */
function announce(server: RunningServer): void {
  const spans = { upcoming: [-3, -9], active: [10, 0], scoring: [10, 1], complete: [20, 10] };
  for (const [id, [first = 0, last = 0]] of Object.entries(spans)) {
    announceOn(server, id, { first_day: daysAgo(first), last_day: daysAgo(last) }, HOSTILE);
  }
}

const pageOf = async (url: string) => (await fetch(url)).text();

test('lists challenges by status, new ones at once, and no instructions for admins', async () => {
  const server = await startServer();
  const empty = await pageOf(`${server.url}/challenges`);
  expect(await pageOf(`${server.url}/hall-of-signal`)).toContain('No records yet');
  expect(empty).toContain('No challenges yet');
  expect(empty).not.toContain('npm run');

  announce(server);
  const terms = ['--title', 'Two weeks of yield', '--description', 'Most of each token'];
  const days = ['--metric', 'yield', '--from', daysAgo(-3), '--to', daysAgo(-16)];
  const args = ['challenge', 'create', ...terms, ...days];
  const made = await runBuilt('opbench-board.mjs', args, { DATA_DIR: server.dataDir });
  expect([made.status, made.stdout]).toEqual([0, 'two-weeks-of-yield\n']);
  const off = ['challenge', 'cancel', 'upcoming', '--reason', 'The tool changed'];
  expect((await runBuilt('opbench-board.mjs', off, { DATA_DIR: server.dataDir })).status).toBe(0);

  const listed = await eventually(
    () => pageOf(`${server.url}/challenges`),
    (page) => page.includes('id="cancelled"'),
  );
  const headings = [...listed.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id);
  expect(headings).toEqual(['upcoming', 'active', 'scoring', 'complete', 'cancelled']);
  const order = [...listed.matchAll(/href="\/challenges\/([\w-]+)"/g)].map(([, id]) => id);
  expect(order).toEqual(['two-weeks-of-yield', 'active', 'scoring', 'complete', 'upcoming']);
  const cancelled = await pageOf(`${server.url}/challenges/upcoming`);
  expect(cancelled).toContain('Reason given by the admin: The tool changed');
  expect(cancelled).not.toContain('id="places"');
});

test('challenges and records show the data of the API, and escape texts', async () => {
  const { server, codename } = await aFullBoard();
  announce(server);
  const address = `${server.url}/challenges/active`;
  const page = await eventually(
    () => pageOf(address),
    (text) => text.includes(codename),
  );
  const answer = await fetch(`${server.url}/api/v1/challenges/active`);
  const { entries, generated_at, total } = (await answer.json()) as ChallengeDetail;

  expect([total, entries[0]?.codename]).toEqual([1, codename]);
  expect(page).toContain('Provisional');
  expect(page).toContain(`title="${exact(entries[0]?.value)};`);
  expect(generated_at).not.toBeNull();
  expect(page).toContain(
    'First line\n&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;so on&quot;',
  );
  const statuses = ['nowhere', 'ACTIVE', 'active?after=x', 'active?after=0.50'].map(
    async (rest) => {
      return (await fetch(`${server.url}/challenges/${rest}`)).status;
    },
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 410, 410]);
  const other = await fetch(`${address}?x=1`);
  expect([other.status, other.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
  const complete = await eventually(
    () => pageOf(`${server.url}/challenges/complete`),
    (text) => text.includes('Final'),
  );
  expect(complete).toContain('with no ranked operators.');
  await checkHall(server, codename);
  await checkFeedAndPictures(server, codename);
});

/** Each challenge and record has a preview picture, and each challenge has a feed. */
async function checkFeedAndPictures({ url }: RunningServer, codename: string): Promise<void> {
  const page = await pageOf(`${url}/challenges/active`);
  expect(page).toContain(`property="og:image" content="${url}/cards/challenges/active.png"`);
  expect(page).toContain('<link rel="alternate" href="/challenges/active.atom"');
  expect(page).toContain('ends at midnight UTC');
  const feed = await fetch(`${url}/challenges/active.atom`);
  const xml = await feed.text();
  expect(feed.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  expect(await atomFaults(xml)).toEqual([]);
  expect(xml).toContain(`${codename} leads Title active`);
  expect((await fetch(`${url}/challenges/nowhere.atom`)).status).toBe(404);

  const record = await pageOf(`${url}/hall-of-signal/yield`);
  expect(record).toContain(`${codename} holds the record`);
  expect(record).toContain(`property="og:image" content="${url}/cards/records/yield.png"`);
  expect((await fetch(`${url}/hall-of-signal/iq`)).status).toBe(404);
  const tagOf = async (path: string) => {
    const { status, headers } = await fetch(url + path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png']);
    return headers.get('etag');
  };
  const board = await tagOf('/open-graph.png');
  expect(await tagOf('/cards/challenges/nowhere.png')).toBe(board);
  expect(await tagOf('/cards/records/iq.png')).toBe(board);
  const own = ['challenges/active', 'challenges/complete', 'records/yield'];
  const tags = await Promise.all(own.map((name) => tagOf(`/cards/${name}.png`)));
  expect(new Set([board, ...tags]).size).toBe(4);
}

async function checkHall({ url }: RunningServer, codename: string): Promise<void> {
  const page = await pageOf(`${url}/hall-of-signal`);
  const { metrics } = (await (await fetch(`${url}/api/v1/hall-of-signal`)).json()) as HallOfSignal;
  const records = metrics.flatMap(({ record }) => (record ? [record] : []));
  expect(records.length).toBeGreaterThan(3);
  expect(page).toContain(codename);
  for (const { value, submission } of records) {
    expect(page).toContain(`title="${exact(value)}"`);
    expect(page).toContain(`href="/submissions/${submission}"`);
  }
}

const exact = (value: number | null | undefined) =>
  value?.toLocaleString('en-US', { maximumSignificantDigits: 12 });
