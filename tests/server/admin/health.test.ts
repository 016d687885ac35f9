import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { probeUrl } from '#server/identity/sign-in/probe-url.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir } from '#tests/support/board/context.ts';

/** The result of `health` for a server that answers in this way. */
async function healthAt(status: number, text: string) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(status).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const PORT = String((server.address() as AddressInfo).port);
  const result = await runAdmin(['health', '--json'], { DATA_DIR: aDataDir(), PORT });
  const { healthy } = JSON.parse(result.stdout) as { healthy: boolean };
  return { asked, found: [result.status, healthy] };
}

test('health reports a board that is alive, and nothing else', async () => {
  const alive = await healthAt(200, '{"status":"ok"}');
  expect(alive).toEqual({ asked: ['/healthz'], found: [0, true] });
  for (const [status, text] of [
    [503, '{"status":"ok"}'],
    [200, '<h1>Hello</h1>'],
    [200, 'null'],
  ] as const) {
    expect((await healthAt(status, text)).found).toEqual([3, false]);
  }
});

test('health needs no public address, which readers in containers do not have', async () => {
  const env = { DATA_DIR: aDataDir(), HOST: '0.0.0.0', PORT: '9' };
  expect(await runAdmin(['health'], env)).toMatchObject({
    status: 3,
    stdout: 'The board does not respond: http://127.0.0.1:9/healthz\n',
  });
});

test('health prints one line if there is no response', async () => {
  const { status, stdout, stderr } = await runAdmin(['health'], {
    DATA_DIR: aDataDir(),
    PORT: '9',
  });
  expect([status, stdout, stderr]).toEqual([
    3,
    'The board does not respond: http://127.0.0.1:9/healthz\n',
    '',
  ]);
});

test('a request ends in time, also if the server never answers', async () => {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  expect(await probeUrl(`http://127.0.0.1:${port}/healthz`, 20)).toBeNull();
});
