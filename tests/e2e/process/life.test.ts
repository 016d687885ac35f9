/** How the process starts and stops. */
import { openToRead } from '#tests/support/board/stored-forms.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ENVELOPE_MEDIA_TYPE } from '#core/schema/snapshot.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { aFreePort } from '#tests/support/http/free-port.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';
import { HAS_SIGNALS, built, runBuilt, start } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { aRequest, aSlowClient } from '#tests/support/http/slow-client.ts';
import { aLivePayload, enrollOverHttp } from '#tests/support/http/wire.ts';

/** The documented time, by the server's own clock. */
const MOST_MS = 10_000;
/** How long requests in progress may take. */
const GRACE_MS = 5_000;
const HELD = { REFRESH_SECONDS: '3600' };

async function aConnection({ url }: RunningServer): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket.on('error', () => undefined);
}

/** The server accepted this connection, because it has responded there. */
async function anAnsweredConnection(server: RunningServer): Promise<Socket> {
  const socket = await aConnection(server);
  await once(socket, 'data', void socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'));
  return socket;
}

interface Ending {
  event: string;
  after_ms: number;
}

/** What the log says about the end of its server: `stopping`, `stopped`, `stopped_late`, `stop_failed`, ... */
const endIn = (log: string) =>
  log
    .split('\n')
    .filter((line) => line.includes('"event":"stop'))
    .map((line) => JSON.parse(line) as Ending);

/**
 * Sends a server a signal, and expects it to end properly and in time, with that as its last event. Returns the time in
 * milliseconds.
 */
async function expectEnd(server: RunningServer): Promise<number> {
  expect(await server.stop()).toBe(0);
  // The process may be gone before all of its output is read.
  const log = await eventually(
    () => Promise.resolve(server.log()),
    (log) => endIn(log).length > 1,
  );
  const [stopping, stopped, ...more] = endIn(log);
  expect(stopping).toMatchObject({ event: 'stopping', signal: 'SIGTERM' });
  expect([stopped?.event, more]).toEqual(['stopped', []]);
  expect(JSON.parse(log.trim().split('\n').at(-1) ?? '')).toEqual(stopped);
  expect(log).not.toContain('"level":"error"');
  const afterMs = stopped?.after_ms ?? Infinity;
  expect(afterMs).toBeLessThan(MOST_MS);
  return afterMs;
}

const isStopping = (server: RunningServer) =>
  eventually(
    () => Promise.resolve(server.log()),
    (log) => log.includes('"event":"stopping"'),
  );

describe('a second server on the same data folder', () => {
  test('fails with the folder and what to do while the admin CLI works, and starts after a kill', async () => {
    const dataDir = aDataDir();
    const first = await startServer({ dataDir, env: HELD });

    const second = await runBuilt('server/entry.mjs', [], { DATA_DIR: dataDir, PORT: '0' });
    const admin = await runBuilt('opbench-board.mjs', ['audit'], { DATA_DIR: dataDir });

    expect([second.status, admin.status]).toEqual([1, 0]);
    expect(second.stderr).toMatch(
      /^Another server or .* data folder .*\. Stop it, or set DATA_DIR .*\n$/,
    );
    expect(second.stderr).toContain(dataDir);
    expect(await first.stop('SIGKILL')).toBeNull();
    const third = await startServer({ dataDir, env: HELD });
    expect((await fetch(`${third.url}/readyz`)).status).toBe(200);
  });

  test('that is not writable causes an error with the reason', async () => {
    const file = join(aDataDir(), 'file');
    writeFileSync(file, '');

    const { status, stderr } = await runBuilt('server/entry.mjs', [], {
      DATA_DIR: join(file, 'board'),
      PORT: '0',
    });

    expect(status).toBe(1);
    expect(stderr).toMatch(/^Cannot write to .*board \(\w+\)\. /);
  });
});

describe.runIf(HAS_SIGNALS)('SIGTERM', () => {
  test('lets an upload in progress finish, and waits neither for idle clients nor forever for others', async () => {
    const server = await startServer({ env: HELD });
    const device = await enrollOverHttp(server, await server.signIn('ada'));
    const payload = aLivePayload(server, bucketsOfDays(9, '2026-03-01'));
    const body = JSON.stringify(await device.seal(payload));
    await Promise.all(
      Array.from({ length: 100 }, () => [aConnection(server), anAnsweredConnection(server)]).flat(),
    );
    const slow = await anAnsweredConnection(server);
    slow.write('POST /settings HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf');
    const upload = await anAnsweredConnection(server);
    const answer = text(upload);
    upload.write(
      `POST /api/v1/snapshots HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n` +
        `Content-Type: ${ENVELOPE_MEDIA_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    );
    upload.write(body.slice(0, 100));
    // Sent after what the server read before it.
    await fetch(`${server.url}/healthz`);

    const ended = expectEnd(server);
    await isStopping(server);
    upload.write(body.slice(100));

    expect(await answer).toMatch(/^HTTP\/1\.1 201 [^]*\r\nConnection: close\r\n/);
    // The server waited for the rest of a partial request, and then closed the connection.
    expect(await ended).toBeGreaterThan(GRACE_MS - 100);
    expect(columnOf(server, 'SELECT kind FROM log_entries')).toContain('snapshot');
  });

  test('during startup ends the process as well, without an error', async () => {
    const port = await aFreePort();
    const env = { DATA_DIR: aDataDir(), PORT: String(port) };
    const { child, finished } = start(process.execPath, [built('server/entry.mjs')], env);
    onTestFinished(() => void child.kill('SIGKILL'));
    const state = () => statusAt(`http://127.0.0.1:${port}/readyz`);
    expect(await eventually(state, (status) => status > 0)).toBe(503);

    child.kill('SIGTERM');

    const { status, stdout, stderr } = await finished;
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toContain('"event":"stopped"');
    expect(stderr).not.toContain('"level":"error"');
  });

  test('a second time ends the process immediately', async () => {
    const server = await startServer({ env: HELD });
    const slow = await anAnsweredConnection(server);
    slow.write('POST /settings HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nhalf');
    await fetch(`${server.url}/healthz`);
    const first = server.stop();
    await isStopping(server);
    const sinceMs = performance.now();

    await eventually(
      () => Promise.resolve(performance.now() - sinceMs),
      (ms) => ms > 1_100,
    );
    const second = server.stop('SIGINT');

    expect([await first, await second]).toEqual([1, 1]);
    expect(server.log()).toContain('"event":"stopped_at_once","signal":"SIGINT"');
  });

  test('lets an email in progress be accepted first', async () => {
    const office = await aMailServer();
    const env = { ...HELD, SMTP_URL: office.smtpUrl, MAIL_FROM: 'board@example.org' };
    const server = await startServer({ env: { ...env, CONTACT_EMAIL: 'admin@example.org' } });
    const cookie = await server.signIn('ada');

    const sent = await fetch(`${server.url}/api/v1/contact`, {
      method: 'POST',
      headers: { Cookie: cookie, Origin: server.url, 'Content-Type': 'application/json' },
      body: JSON.stringify({ subject: 'Hello', message: 'Is anybody there?' }),
    });

    expect(sent.status).toBe(201);
    await expectEnd(server);
    expect(office.mails.map(({ to }) => to)).toEqual([['admin@example.org']]);
    expect(columnOf(server, 'SELECT mailed_at IS NOT NULL FROM contact_messages')).toEqual([1]);
  });
});

test.runIf(HAS_SIGNALS)(
  'writes all lines even if they are read late and the process ends',
  async () => {
    const port = await aFreePort();
    const env = { DATA_DIR: aDataDir(), PORT: String(port), RATE_LIMIT_PUBLIC: '1000000' };
    // With one pipe for both, a program immediately receives what is not read.
    const words = ['-c', 'exec "$@" 2>&1', 'sh', process.execPath, built('server/entry.mjs')];
    const server = spawn('/bin/sh', words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void server.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    expect(
      await eventually(
        () => statusAt(`${url}/readyz`),
        (status) => status === 200,
      ),
    ).toBe(200);
    // More than the pipe can hold.
    const count = 1_000;
    const client = await aSlowClient(url);
    client.send(aRequest('GET /robots.txt').repeat(count));
    const answered = () => Promise.resolve(client.received().split('HTTP/1.1 ').length - 1);
    expect(await eventually(answered, (answers) => answers === count)).toBe(count);

    server.kill('SIGTERM');
    await eventually(
      () => statusAt(`${url}/readyz`),
      (status) => status === 0,
    );
    const log = await text(server.stdout);

    expect(log.split('"route":"/robots.txt"').length - 1).toBe(count);
    expect(log.trim().split('\n').at(-1)).toContain('"event":"stopped"');
  },
);

/** What a server left in its database. */
function columnOf({ dataDir }: RunningServer, sql: string): unknown[] {
  const db = openToRead(`${dataDir}/opbench.sqlite`);
  const column = db.prepare(sql).pluck().all();
  db.close();
  return column;
}

/** The status of an address; 0 without a response. */
function statusAt(url: string): Promise<number> {
  return fetch(url).then(
    ({ status }) => status,
    () => 0,
  );
}
