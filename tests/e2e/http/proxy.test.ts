/** A device that reaches its board only through a proxy. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { anInstallation, daysAgo, newCode } from '#tests/support/agent/installation.ts';
import { built, start } from '#tests/support/http/process.ts';
import { startServer } from '#tests/support/http/server.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';
import { CERTIFICATE, TLS_HOST, aConnectProxy, aTlsFront } from '#tests/support/agent/tunnels.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

/** The oldest supported Node, if it is installed. */
const OLDEST = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  return spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.startsWith('v20.') ?? false;
});

test("works through a proxy, and explains the proxy's errors", async () => {
  const front = await aTlsFront();
  const board = `https://${TLS_HOST}:${front.port}`;
  const server = await startServer({ env: { BASE_URL: board } });
  front.forwardTo(server.url);
  const proxy = await aConnectProxy(front.port);
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  const url = `http://ada:secret@127.0.0.1:${proxy.port}`;
  const proxied = { HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: CERTIFICATE, HOME: device.home };
  const run = (env: Record<string, string>, words: string[], node = process.execPath) => {
    return start(node, [built('opbench.mjs'), ...words], { ...proxied, ...env }).finished;
  };

  const code = await newCode(server.url, await server.signIn('ada'));
  const enrolled = await run({}, ['enroll', code, '--board', board]);
  const submitted = await run({}, ['submit'], OLDEST);
  const looked = await run({}, ['doctor']);
  expect(enrolled, enrolled.stderr).toMatchObject({ status: 0 });
  expect(submitted, submitted.stderr).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 daily count accepted'),
  });
  expect(looked).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`through the proxy http://127.0.0.1:${proxy.port}\n`),
  });
  expect(new Set(proxy.asked)).toEqual(new Set([`${TLS_HOST}:${front.port}`]));

  // The timer has none of the shell's variables.
  const turnedOn = await run({ PATH: '/nonexistent' }, ['mcp', 'config']);
  const kept = join(device.home, '.config', 'opbench', 'proxy.json');
  expect(turnedOn).toMatchObject({
    status: 0,
    // Windows has each variable under both names.
    stderr: expect.stringMatching(/^Saved (?:https_proxy, )?HTTPS_PROXY/),
  });
  expect(JSON.parse(readFileSync(kept, 'utf8'))).toMatchObject({ mcp: { HTTPS_PROXY: url } });
  expectMode(kept, 0o600);

  proxy.refuse({ status: 407, headers: { 'Proxy-Authenticate': 'Basic realm="x"' } });
  const refused = await run({}, ['submit']);
  const doubted = await run({}, ['doctor']);
  expect(refused).toMatchObject({
    status: 4,
    stderr: expect.stringMatching(/rejected the\s+user name and password in\s+HTTPS_PROXY/),
  });
  expect(doubted).toMatchObject({ status: 4, stdout: expect.stringContaining('status 407') });

  const before = proxy.asked.length;
  const excepted = await run({ NO_PROXY: `.${TLS_HOST}` }, ['doctor', '--board', board]);
  expect(excepted.stdout).toContain(`${board} cannot be reached`);
  expect(proxy.asked).toHaveLength(before);
  for (const { stdout, stderr } of [enrolled, submitted, looked, turnedOn, refused, doubted]) {
    expect(stdout + stderr).not.toContain('secret');
  }
});

test('reaches a board on loopback without a proxy', async () => {
  const server = await plainBoard();
  const proxy = await aConnectProxy(1);
  const { home } = anInstallation();
  const way = `http://127.0.0.1:${proxy.port}`;
  const env = { HOME: home, HTTPS_PROXY: way, HTTP_PROXY: way, ALL_PROXY: way };

  const words = [built('opbench.mjs'), 'board', '--board', server.url];
  const ended = await start(process.execPath, words, env).finished;

  expect(ended).toMatchObject({ status: 0, stdout: expect.stringContaining(server.url) });
  expect(proxy.asked).toEqual([]);
});
