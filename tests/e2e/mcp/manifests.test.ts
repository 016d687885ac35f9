/** The files of the built server for agents and crawlers. */
import { expect, test } from 'vitest';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import {
  MCP_REVISIONS,
  type ServerCard,
  getAiCatalog,
  getMcpManifest,
  getServerCard,
  getWellKnownServerCard,
} from '#core/contract/mcp/manifests.ts';
import type { Problem } from '#core/contract/problem.ts';
import { type RunningServer, startServer } from '#tests/support/http/server.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const MANIFESTS = [getServerCard, getMcpManifest, getWellKnownServerCard, getAiCatalog];

interface Answer {
  result?: {
    protocolVersion?: string;
    serverInfo?: object;
    _meta?: { 'io.modelcontextprotocol/serverInfo'?: object };
  };
  error?: { code: number };
}

/** Sends a message like a client of a revision. */
async function speak(
  { url }: RunningServer,
  revision: string | null,
  method: string,
  params: object,
): Promise<{ status: number; answer: Answer }> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'Mcp-Method': method,
    ...(revision !== null && { 'MCP-Protocol-Version': revision }),
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(`${url}/api/mcp`, { method: 'POST', headers, body });
  return { status: response.status, answer: (await response.json()) as Answer };
}

/** The current protocol: no negotiation, each message names its revision. */
async function discover(server: RunningServer, revision: string) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const { status, answer } = await speak(server, revision, 'server/discover', { _meta });
  const serverInfo = answer.result?._meta?.['io.modelcontextprotocol/serverInfo'];
  return { status, code: answer.error?.code, serverInfo };
}

/** The protocol of 2025: the client proposes a revision, and the server responds with the one it uses. */
async function initialize(server: RunningServer, protocolVersion: string) {
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion, clientInfo, capabilities: {} };
  const { answer } = await speak(server, null, 'initialize', params);
  const { status } = await speak(server, protocolVersion, 'tools/list', {});
  return { agreed: answer.result?.protocolVersion, status, serverInfo: answer.result?.serverInfo };
}

async function cardOf({ url }: RunningServer): Promise<ServerCard> {
  return (await (await fetch(`${url}/api/mcp/server-card`)).json()) as ServerCard;
}

test('the card has the same revisions and identity as the server', async () => {
  const server = await plainBoard();
  const { name, version, title, description, websiteUrl, remotes } = await cardOf(server);
  const serverInfo = { name, version, title, description, websiteUrl };
  const [current, newest, ...older] = MCP_REVISIONS;

  expect(remotes.map((remote) => remote.supportedProtocolVersions)).toEqual([MCP_REVISIONS]);
  expect(await discover(server, current)).toEqual({ status: 200, serverInfo });
  for (const agreed of [newest, ...older]) {
    expect(await initialize(server, agreed)).toEqual({ status: 200, agreed, serverInfo });
  }

  expect(await discover(server, '2031-01-01')).toEqual({ status: 400, code: -32022 });
  for (const unspoken of ['2024-11-05', '2024-10-07']) {
    expect(await initialize(server, unspoken)).toMatchObject({ status: 400, agreed: newest });
  }

  // The admin set no contact address.
  const { status, text } = await read(`${server.url}/.well-known/security.txt`);
  expect([status, (JSON.parse(text) as Problem).code]).toEqual([404, 'not_found']);
});

test('every file names the board, and the copies of the card are the same', async () => {
  const env = { BASE_URL: 'https://bench.example.org', CONTACT_EMAIL: 'admin@example.org' };
  const { url, log } = await startServer({ env });
  const tags: Record<string, string | null> = {};

  for (const { path, replyType } of MANIFESTS) {
    const { status, headers } = await fetch(url + path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, replyType]);
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    tags[path] = headers.get('etag');
  }
  const [card, ...copies] = MANIFESTS.slice(0, 3).map(({ path }) => tags[path]);
  expect(card).toMatch(/^"/);
  expect(copies).toEqual([card, card]);

  for (const [path, line] of Object.entries(TEXTS)) {
    const { status, headers, text } = await read(url + path);
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, TEXT]);
    expect(headers.get('content-signal')).toBe(CONTENT_SIGNAL);
    expect(text.split('\n')).toContain(line);
  }
  expect(log()).not.toContain('CONTACT_EMAIL');
});

const TEXT = 'text/plain; charset=utf-8';
/** A line of each file that names the board or its admin. */
const TEXTS = {
  '/robots.txt': 'Sitemap: https://bench.example.org/sitemap.xml',
  '/.well-known/security.txt': 'Contact: mailto:admin@example.org',
};

async function read(address: string) {
  const answer = await fetch(address);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
