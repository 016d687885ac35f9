/** What the server logs about requests, and what the log must never contain. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { type RunningServer, startServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { HAS_SIGNALS } from '#tests/support/http/process.ts';

/** What must not be in the log. */
const MAILBOX = 'grace.hopper@private.example';
const TOKEN = 'obx_9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const CODENAME = 'zaphodbeeblebrox';
const ADDRESS = '203.0.113.77';
const WORDS = [MAILBOX, TOKEN, CODENAME, ADDRESS];

const EVERYWHERE = WORDS.map(encodeURIComponent).join(',');

/** Paths of all kinds that contain these words. */
const PATHS = [
  `/operators/${CODENAME}`,
  `/operators/${CODENAME}.md?x=${EVERYWHERE}`,
  `/operators/${CODENAME}?with=${TOKEN}`,
  `/api/v1/operators/${CODENAME}`,
  `/api/v1/operators/${CODENAME}/history?token=${TOKEN}`,
  `/api/v1/operators/${encodeURIComponent(MAILBOX)}`,
  `/api/v1/leaderboard?q=${EVERYWHERE}`,
  `/api/v1/leaderboard?cursor=${TOKEN}`,
  `/api/v1/submissions/${TOKEN}`,
  `/leaderboard/30d/yield?q=${CODENAME}`,
  `/badge/${CODENAME}.svg`,
  `/avatars/${TOKEN}.webp`,
  `/login/link?token=${TOKEN}`,
  `/login/mail/link?token=${TOKEN}`,
  `/login/interaction/${TOKEN}/mail`,
  `/login/github/callback?code=${TOKEN}&state=${TOKEN}`,
  `/oauth/authorize?client_id=${TOKEN}&login_hint=${MAILBOX}`,
  `/oauth/authorize/${TOKEN}`,
  `/auth/callback?code=${TOKEN}`,
  `/${EVERYWHERE}`,
  `/${CODENAME}/${TOKEN}.md`,
  `/_astro/${TOKEN}.js`,
  `/opbench-${TOKEN}.tgz`,
  `/healthz?token=${TOKEN}`,
];

/** Bodies for addresses that accept one. */
const POSTS: readonly [path: string, type: string, body: string][] = [
  [
    '/oauth/token',
    'application/x-www-form-urlencoded',
    `grant_type=authorization_code&code=${TOKEN}`,
  ],
  ['/oauth/register', 'application/json', JSON.stringify({ redirect_uris: [MAILBOX] })],
  ['/oauth/revoke', 'application/x-www-form-urlencoded', `token=${TOKEN}`],
  ['/api/mcp', 'application/json', JSON.stringify({ method: TOKEN, params: { q: MAILBOX } })],
  ['/api/v1/snapshots', 'application/vnd.dsse+json', `{"payload":"${TOKEN}"`],
  ['/api/v1/devices/enroll', 'application/json', JSON.stringify({ code: TOKEN, label: MAILBOX })],
  ['/api/v1/contact', 'application/json', JSON.stringify({ message: MAILBOX })],
  ['/login/link', 'application/x-www-form-urlencoded', `token=${TOKEN}`],
  ['/settings/profile', 'multipart/form-data; boundary=x', `--x\r\n${MAILBOX}`],
];

/** Every header that could identify someone. */
const HEADERS = {
  Authorization: `Bearer ${TOKEN}`,
  Cookie: `session=${TOKEN}; oauth_tx=${TOKEN}`,
  'User-Agent': MAILBOX,
  Referer: `https://x.example/${CODENAME}?token=${TOKEN}`,
  From: MAILBOX,
  'X-API-Key': TOKEN,
  'X-Forwarded-For': ADDRESS,
  'X-Request-Id': TOKEN,
};

async function askEverything({ url }: RunningServer): Promise<void> {
  const plain = { 'X-Forwarded-For': ADDRESS };
  for (const headers of [HEADERS, plain]) {
    for (const path of PATHS) {
      await (await fetch(url + path, { headers, redirect: 'manual' })).arrayBuffer();
    }
    for (const [path, type, body] of POSTS) {
      const sent = { ...headers, 'Content-Type': type };
      await (await fetch(url + path, { method: 'POST', headers: sent, body })).arrayBuffer();
    }
  }
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(`${TOKEN} ${MAILBOX}\r\n\r\n`);
  await text(socket);
}

// A server that is killed does not write its last lines.
test.runIf(HAS_SIGNALS)(
  'the log contains no token, mailbox, codename or address, whatever is requested',
  async () => {
    const server = await startServer({ env: { TRUST_PROXY: 'loopback' } });
    const cookie = await server.signIn(CODENAME);
    const device = await enrollOverHttp(server, cookie);
    await postSnapshot(
      server,
      await device.seal(aLivePayload(server, bucketsOfDays(9, '2026-03-01'))),
    );
    const visitor = new Visitor(server.url);
    await visitor.signIn(MAILBOX);

    await askEverything(server);

    expect(await server.stop()).toBe(0);
    // A sign-in link is logged intentionally, on the admin's own host and while no mail server is configured.
    const log = server
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const secrets = [cookie.split('=')[1] ?? '', device.installation_id, '127.0.0.1', ...WORDS];
    expect(secrets.filter((secret) => log.join('\n').includes(secret))).toEqual([]);
    const requests = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const lines = requests.filter(({ event }) => event === 'request');
    expect(lines.length).toBeGreaterThan(2 * (PATHS.length - 1 + POSTS.length));
    const fields = ['time', 'level', 'event', 'request', 'method', 'route', 'status', 'ms'];
    const names = new Set(lines.flatMap((line) => Object.keys(line)));
    expect([...names].filter((name) => !fields.includes(name))).toEqual([]);
  },
);

test('LOG_REQUESTS=errors leaves out successful requests', async () => {
  const server = await startServer({ env: { LOG_REQUESTS: 'errors' } });
  await (await fetch(`${server.url}/nowhere`)).arrayBuffer();
  await server.stop();

  expect(server.log()).not.toContain('"event":"request"');
  expect(server.log()).toMatch(
    new RegExp(
      `"event":"started","version":"\\d[^"]*","port":${new URL(server.url).port},"log_index":[1-9]`,
    ),
  );
});
