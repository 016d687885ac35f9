import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { plainProxyOnly, proxyFor } from '#agent/proxy.ts';
import { fetchThrough } from '#agent/board/tunnel.ts';
import { Wire } from '#agent/board/wire.ts';
import type { Failure } from '#agent/failure.ts';
import {
  CERTIFICATE,
  type ConnectProxy,
  TLS_HOST,
  aConnectProxy,
} from '#tests/support/agent/tunnels.ts';

const BOARD = 'https://bench.example.org';
const PROXY = 'http://proxy.example.org:3128';

describe('the proxy for a board', () => {
  test.each([
    ['no variable', {}, BOARD, null],
    ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, BOARD, PROXY],
    [
      'https_proxy, before the other',
      { https_proxy: PROXY, HTTPS_PROXY: 'http://x' },
      BOARD,
      PROXY,
    ],
    ['ALL_PROXY', { ALL_PROXY: PROXY }, BOARD, PROXY],
    ['HTTPS_PROXY before all_proxy', { HTTPS_PROXY: PROXY, all_proxy: 'http://x' }, BOARD, PROXY],
    ['an empty variable', { https_proxy: '', HTTPS_PROXY: PROXY }, BOARD, PROXY],
    ['one without a scheme', { HTTPS_PROXY: 'proxy.example.org:3128' }, BOARD, PROXY],
    ['credentials', { HTTPS_PROXY: 'http://ada:p%40ss@proxy.example.org:3128' }, BOARD, PROXY],
    [
      'a proxy behind TLS',
      { HTTPS_PROXY: 'https://proxy.example.org' },
      BOARD,
      'https://proxy.example.org',
    ],
    ['HTTP_PROXY alone', { HTTP_PROXY: PROXY }, BOARD, null],
    ['localhost', { HTTPS_PROXY: PROXY }, 'https://localhost:8443', null],
    ['127.0.0.1', { ALL_PROXY: PROXY }, 'https://127.0.0.1', null],
    ['plain http on loopback', { HTTP_PROXY: PROXY, ALL_PROXY: PROXY }, 'http://[::1]:4321', null],
  ])('%s', async (_, environment, board, shown) => {
    expect((await proxyFor(`${board}/api/v1/me`, environment))?.shown ?? null).toBe(shown);
  });

  test.each([
    ['*', BOARD, true],
    ['bench.example.org', BOARD, true],
    ['example.org', BOARD, true],
    ['.example.org', BOARD, true],
    ['*.example.org', BOARD, true],
    ['localhost, EXAMPLE.ORG', BOARD, true],
    ['localhost 10.0.0.0/8 example.org', BOARD, true],
    ['ample.org', BOARD, false],
    ['bench.example.org:443', BOARD, true],
    ['bench.example.org:8443', BOARD, false],
    ['bench.example.org:8443', `${BOARD}:8443`, true],
    ['', BOARD, false],
    [',., ', BOARD, false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.3:8443', true],
    ['fd00::/8', 'https://[fd00::1]', true],
    ['[fd00::1]:443', 'https://[fd00::1]', true],
    ['fd00::2', 'https://[fd00::1]', false],
  ])('NO_PROXY=%s for %s: direct: %s', async (NO_PROXY, board, isDirect) => {
    const proxy = await proxyFor(board, { HTTPS_PROXY: PROXY, NO_PROXY });
    expect(proxy === null).toBe(isDirect);
  });

  test.each([
    ['socks5://ada:secret@proxy.example.org', 'is a SOCKS proxy'],
    ['http://ada:secret@', 'is not the URL of an HTTP proxy'],
    ['ftp://ada:secret@proxy.example.org', 'is not the URL of an HTTP proxy'],
  ])('%s is rejected, and not shown', async (ALL_PROXY, words) => {
    const failure = await proxyFor(BOARD, { ALL_PROXY }).catch((error: Failure) => error);
    expect(failure).toMatchObject({ exitCode: 1, message: expect.stringContaining(words) });
    expect(JSON.stringify([(failure as Failure).message, failure])).not.toContain('secret');
  });

  test('a variable for http only is reported', () => {
    expect(plainProxyOnly({ http_proxy: PROXY })).toBe('http_proxy');
    expect(plainProxyOnly({ HTTP_PROXY: PROXY, ALL_PROXY: PROXY })).toBeNull();
  });
});

describe('a request through a proxy', () => {
  beforeAll(() => {
    const before = getCACertificates('default');
    setDefaultCACertificates([...before, readFileSync(CERTIFICATE, 'utf8')]);
    return () => setDefaultCACertificates(before);
  });

  /** A site behind TLS that echoes requests. */
  async function aSite(): Promise<number> {
    const key = readFileSync(CERTIFICATE.replace('cert.pem', 'key.pem'));
    const server = createServer({ cert: readFileSync(CERTIFICATE), key }, (incoming, outgoing) => {
      if (incoming.url === '/moved') outgoing.writeHead(302, { Location: '/' }).end();
      if (incoming.url === '/moved') return;
      let body = '';
      incoming.setEncoding('utf8').on('data', (text: string) => (body += text));
      incoming.on('end', () => {
        const { method, url, headers } = incoming;
        outgoing.writeHead(url === '/missing' ? 404 : 200, { 'Content-Type': 'application/json' });
        outgoing.end(JSON.stringify({ method, url, body, headers }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => (server.closeAllConnections(), void server.close()));
    return (server.address() as AddressInfo).port;
  }

  /** Sends a request like the command. */
  async function ask(
    proxy: Pick<ConnectProxy, 'port'>,
    path: string,
    given: RequestInit = {},
    user = '',
  ) {
    const environment = { HTTPS_PROXY: `http://${user}127.0.0.1:${proxy.port}` };
    const wire = new Wire(async (url, init) => {
      const found = await proxyFor(url, environment);
      return found ? fetchThrough(found, url, init) : fetch(url, init);
    }, Date.now);
    return wire.ask(`https://${TLS_HOST}${path}`, given).catch((error: Failure) => error);
  }

  test('arrives complete, and its response is returned', async () => {
    const proxy = await aConnectProxy(await aSite());
    const init = { method: 'POST', headers: { 'X-Sent': 'yes' }, body: '{"é":1}' };

    const answer = await ask(proxy, '/a?b=c', init, 'ada:p%40ss%@');

    expect(answer).toMatchObject({ status: 200 });
    const { method, url, body, headers } = JSON.parse((answer as { text: string }).text);
    expect({ method, url, body }).toEqual({ method: 'POST', url: '/a?b=c', body: '{"é":1}' });
    expect(headers).toMatchObject({ host: TLS_HOST, 'x-sent': 'yes' });
    expect(headers).not.toHaveProperty('proxy-authorization');
    expect(proxy.asked).toEqual([`${TLS_HOST}:443`]);
    const pair = `Basic ${Buffer.from('ada:p%40ss%').toString('base64')}`;
    expect(proxy.credentials).toEqual([pair]);
  });

  test('a proxy behind TLS, and a password with an @', async () => {
    const proxy = await aConnectProxy(await aSite(), true);
    const url = new URL(`https://ada:p%40ss@127.0.0.1:${proxy.port}`);

    const answer = await fetchThrough(
      { url, shown: url.origin, variable: 'HTTPS_PROXY' },
      `https://${TLS_HOST}/`,
      {},
    );

    expect(answer.status).toBe(200);
    await answer.body?.cancel();
    expect(proxy.credentials).toEqual([`Basic ${Buffer.from('ada:p@ss').toString('base64')}`]);
  });

  test('a redirect and an error of the board are reported as without a proxy', async () => {
    const proxy = await aConnectProxy(await aSite());

    expect(await ask(proxy, '/moved')).toMatchObject({
      message: expect.stringMatching(/unexpected redirect \(through the proxy http:\/\/127/),
    });
    expect(await ask(proxy, '/missing')).toMatchObject({
      message: expect.stringMatching(/404$/),
    });
  });

  test.each([
    [
      407,
      { 'Proxy-Authenticate': 'Basic realm="x"' },
      '',
      'requires a user name and password',
      false,
    ],
    [
      407,
      { 'Proxy-Authenticate': 'Basic realm="x"' },
      'ada:secret@',
      'rejected the user name',
      false,
    ],
    [407, { 'Proxy-Authenticate': 'NTLM' }, '', 'requires a sign-in that opbench does not', false],
    [403, {}, '', 'did not connect to bench.test (status 403)', false],
    [503, {}, '', 'did not connect to bench.test (status 503)', true],
  ])('a response of %i with %o', async (status, headers, user, words, isPassing) => {
    const proxy = await aConnectProxy(1);
    proxy.refuse({ status, headers: headers as Record<string, string> });

    const failure = await ask(proxy, '/', {}, user);

    expect(failure).toMatchObject({
      exitCode: 4,
      message: expect.stringContaining(words),
      hint: expect.stringContaining(status === 407 ? 'HTTPS_PROXY' : 'NO_PROXY'),
      isPassing,
      isUnheard: true,
    });
    const { message, hint } = failure as Failure;
    expect(`${message} ${hint}`).not.toContain('secret');
  });

  test('an unreachable proxy, and an unreachable board behind a proxy', async () => {
    const gone = await ask({ port: 1 }, '/', {}, 'ada:secret@');
    const proxy = await aConnectProxy(1);
    const broken = await ask(proxy, '/');

    expect(gone).toMatchObject({
      message: expect.stringMatching(
        /^The proxy http:\/\/127\.0\.0\.1:1 \(HTTPS_PROXY\) cannot be reached: connect ECONNREFUSED/,
      ),
      isPassing: true,
    });
    expect(broken).toMatchObject({ message: expect.stringContaining('cannot be reached') });
  });

  test('an untrusted certificate is rejected, with advice about inspecting proxies', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    const proxy = await aConnectProxy(await aSite());

    expect(await ask(proxy, '/')).toMatchObject({
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    });
  });

  test('ends after its timeout', async () => {
    const proxy = await aConnectProxy(await aSite());
    const url = new URL(`http://127.0.0.1:${proxy.port}`);
    const found = { url, shown: url.origin, variable: 'HTTPS_PROXY' };

    const asking = fetchThrough(found, `https://${TLS_HOST}/`, { signal: AbortSignal.abort() });

    await expect(asking).rejects.toThrow(/aborted/);
  });
});
