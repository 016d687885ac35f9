import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { decodeJwt } from 'jose';
import {
  discoveryRequest,
  processDiscoveryResponse,
  processResourceDiscoveryResponse,
  resourceDiscoveryRequest,
} from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { requestOptions } from '#server/identity/provider/bounded-fetch.ts';
import { signInAsMcpClient } from '#tests/support/mcp/mcp-sign-in.ts';
import type { RunningServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const CONFORMANCE = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

async function aSignedInVisitor(server: RunningServer): Promise<Visitor> {
  const visitor = new Visitor(server.url);
  visitor.signInBy(await server.signIn('user-of-applications'));
  return visitor;
}

/** A tool's result for the operator of a token. */
async function callTool({ url }: RunningServer, name: string, token = ''): Promise<unknown> {
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } };
  const body = JSON.stringify(message);
  const answer = await fetch(`${url}/api/mcp`, { method: 'POST', headers, body });
  const { result } = (await answer.json()) as { result?: { structuredContent: unknown } };
  return result?.structuredContent;
}

const bearer = (token = '') => ({ headers: { Authorization: `Bearer ${token}` } });

describe('applications', () => {
  test('the official MCP client registers, signs in and keeps a token until its access is revoked', async () => {
    const server = await plainBoard();
    const visitor = await aSignedInVisitor(server);

    const mcp = await signInAsMcpClient(server, visitor, '/api/mcp');
    const rest = await signInAsMcpClient(server, visitor, '');
    const profile = `${server.url}/api/v1/profile`;
    const token = rest.tokens?.access_token;

    expect(mcp.asked.text).toContain('localhost:33418');
    expect(decodeJwt(mcp.tokens?.access_token ?? '')).toMatchObject({
      iss: server.url,
      aud: `${server.url}/api/mcp`,
    });
    // A token for the MCP server is not valid for the API. A token for the board is valid for both.
    expect((await fetch(profile, bearer(mcp.tokens?.access_token))).status).toBe(401);
    expect((await fetch(profile, bearer(token))).status).toBe(200);
    expect(await callTool(server, 'my_operator', token)).toMatchObject({
      codename: expect.any(String),
    });
    const renewed = await rest.refreshed();
    expect(renewed?.access_token).not.toBe(token);

    const list = await visitor.open('/settings/applications');
    const ids = [...list.text.matchAll(/name="id" value="([\w-]+)"/g)].map(([, id = '']) => id);
    expect(ids).toHaveLength(2);
    for (const id of ids) await visitor.post('/settings/applications', { id });

    expect((await fetch(profile, bearer(token))).status).toBe(401);
    const refresh = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: String(decodeJwt(token ?? '')['client_id']),
      refresh_token: renewed?.refresh_token ?? '',
    });
    const refused = await fetch(`${server.url}/oauth/token`, { method: 'POST', body: refresh });
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('discover how to sign in, from every error response', async () => {
    const { url } = await plainBoard();
    const issuer = new URL(url);
    const options = { algorithm: 'oauth2', ...requestOptions(fetch, url) } as const;
    const resources = ['', '/api/mcp'].map((path) => new URL(url + path));

    const server = await processDiscoveryResponse(issuer, await discoveryRequest(issuer, options));
    const openid = await fetch(`${url}/.well-known/openid-configuration`);
    const named = await Promise.all(
      resources.map(async (resource) => {
        const response = await resourceDiscoveryRequest(resource, options);
        return (await processResourceDiscoveryResponse(resource, response)).authorization_servers;
      }),
    );
    const refused = await fetch(`${url}/api/v1/profile`);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    const [, told = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];

    expect(await processDiscoveryResponse(issuer, openid)).toEqual(server);
    expect(server.code_challenge_methods_supported).toEqual(['S256']);
    expect(named).toEqual([[url], [url]]);
    expect(await (await fetch(told)).json()).toMatchObject({ resource: url });
  });

  test('can call exactly the existing addresses, from any page', async () => {
    const { url } = await plainBoard();
    const ask = async (method: string, path: string, headers: HeadersInit = {}) => {
      const answer = await fetch(url + path, { method, headers, redirect: 'manual' });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    const preflight = { Origin: 'https://app.test', 'Access-Control-Request-Method': 'POST' };

    expect(await ask('OPTIONS', '/oauth/token', preflight)).toEqual([204, '*']);
    expect(await ask('OPTIONS', '/oauth/register', preflight)).toEqual([204, '*']);
    expect(await ask('GET', '/oauth/token')).toEqual([405, '*']);
    expect(await ask('HEAD', '/oauth/authorize')).toEqual([405, null]);
    expect(await ask('POST', '/oauth/authorize')).toEqual([405, null]);
    expect(await ask('GET', '/oauth/nothing')).toEqual([404, null]);
    expect(await ask('GET', '/oauth/authorize/x/y')).toEqual([404, null]);
    expect(await ask('GET', '/oauth/authorize')).toEqual([400, null]);
    expect(await ask('GET', '/oauth/authorize/unknown')).toEqual([400, null]);
    expect(await ask('POST', '/oauth/token')).toEqual([400, '*']);
  });

  test('a link cannot make its visitor sign in on behalf of the sender', async () => {
    const server = await plainBoard();
    const victim = await aSignedInVisitor(server);
    const attacker = new Visitor(server.url);
    const asked = await attacker.open('/login');
    const { pathname } = new URL(asked.url);

    const opened = await victim.open(asked.url);
    const mailed = await victim.post(`${pathname}/mail`, { address: 'ada@example.org' });
    const allowed = await victim.post(pathname, { action: 'allow' });
    const attackers = await attacker.open(
      asked.url.replace('/login/interaction/', '/oauth/authorize/'),
    );

    expect([opened.status, mailed.status, allowed.status]).toEqual([422, 422, 422]);
    expect(attackers.url).toContain('/login/interaction/');
    expect((await attacker.open('/settings')).url).toContain('/login/interaction/');
  });

  test('cannot make the board redirect a browser to them before the operator is asked', async () => {
    const server = await plainBoard();
    const redirect_uri = 'https://evil.example/cb';
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [redirect_uri, 'http://localhost:1/cb'] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const begin = (over: Record<string, string>) => {
      const wish = { client_id, redirect_uri, response_type: 'code', state: 'a"b', ...over };
      return new Visitor(server.url).open(`/oauth/authorize?${new URLSearchParams(wish)}`);
    };
    const pkce = { code_challenge: 'c'.repeat(43), code_challenge_method: 'S256' };

    const ends = [
      await begin({}),
      await begin({ ...pkce, prompt: 'none' }),
      await begin({ ...pkce, response_mode: 'form_post' }),
      await begin({ ...pkce, response_mode: 'fragment', prompt: 'none' }),
      await begin({ ...pkce, resource: 'https://other.example' }),
    ];
    const local = await begin({ redirect_uri: 'http://localhost:1/cb' });

    for (const { url, status, headers, text } of ends) {
      expect([new URL(url).origin, status]).toEqual([server.url, 400]);
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(text).toContain('href="https://evil.example/cb');
    }
    expect(local.url).toContain('http://localhost:1/cb?error=');
  });

  test('another site can neither connect an app nor revoke its access', async () => {
    const server = await plainBoard();
    const visitor = await aSignedInVisitor(server);
    const body = () => new URLSearchParams({ action: 'allow', id: 'x' });
    const headers = { 'Sec-Fetch-Site': 'cross-site' };

    const statuses = [];
    for (const path of ['/login/interaction/x', '/settings/applications']) {
      statuses.push(
        (await visitor.request(path, { method: 'POST', headers, body: body() })).status,
      );
    }

    expect(statuses).toEqual([403, 403]);
  });

  test("the conformance suite's authorization scenarios pass", async () => {
    const server = await plainBoard();
    const visitor = await aSignedInVisitor(server);
    const port = '33907';
    const redirect = `http://127.0.0.1:${port}/callback`;
    const registered = await fetch(`${server.url}/oauth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirect] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };

    const { status, output } = await conform(visitor, [
      ...['--url', server.url, '--client-id', clientId, '--port', port],
      ...['--resource', `${server.url}/api/mcp`, '--spec-version', '2026-07-28'],
    ]);

    expect(output).toMatch(/3 passed, 0 failed/);
    expect(status).toBe(0);
  });
});

/** Runs the suite. The visitor opens its links, and consents. */
async function conform(visitor: Visitor, options: readonly string[]) {
  const child = spawn(process.execPath, [CONFORMANCE, 'authorization', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const opened = new Set<string>();
  const read = (text: string) => {
    output += text;
    const [url] = /http:\/\/127\.0\.0\.1:\d+\/oauth\/authorize\?\S+/.exec(text) ?? [];
    if (url === undefined || opened.has(url)) return;
    opened.add(url);
    void agree(visitor, url);
  };
  child.stdout.setEncoding('utf8').on('data', read);
  child.stderr.setEncoding('utf8').on('data', read);
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, output };
}

async function agree(visitor: Visitor, url: string): Promise<void> {
  const asked = await visitor.open(url);
  const back = await visitor.post(new URL(asked.url).pathname, { action: 'allow' });
  await fetch(back.url);
}
