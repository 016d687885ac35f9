/** Reads of all that a board shows of an operator, with what each costs. */
import { setTimeout as pause } from 'node:timers/promises';
import { markdownPath } from '#core/contract/site-routes.ts';
import { runBuilt } from './process.ts';
import type { RunningServer } from './server.ts';
import { PAGES, READS, TOOLS } from './surfaces.ts';

/** Preloads the watch of the server's main thread. */
export const WATCHED = `--import=${new URL('main-thread.mjs', import.meta.url).href}`;

/** Whom everything is read of. */
export interface Walked {
  codename: string;
  /** One of its submissions. */
  submission: string;
}

export interface Cost {
  what: string;
  status: number;
  bytes: number;
  /** The longest that the main thread was busy in one go meanwhile, in ms of its CPU time; 0 below 20. */
  busyMs: number;
}

/** Long answers that are sent piece by piece, and what a device signed, byte for byte. */
const UNBOUNDED =
  /^\/(?:log\.ndjson\.gz|api\/v1\/account\/export|api\/v1\/submissions\/[^/]+\/envelope)/;

/** Pages and reads that only the operator sees. */
const OWN = [
  ...['', '/profile', '/privacy', '/sign-in', '/applications', '/data'].map(
    (at) => `/settings${at}`,
  ),
  ...['me', 'devices', 'account/sessions', 'peers?limit=20', 'improvements', 'account/export'].map(
    (at) => `/api/v1/${at}`,
  ),
  '/where-am-i?window=30d&metric=yield',
];

/** The Cookie header of who opens a link that the admin made for an operator. */
export async function signInAs({ url, dataDir }: RunningServer, codename: string): Promise<string> {
  const env = { DATA_DIR: dataDir, BASE_URL: url };
  const link = await runBuilt('opbench-board.mjs', ['login-link', codename], env);
  const token = new URL(link.stdout.trim()).searchParams.get('token') ?? '';
  const body = new URLSearchParams({ token });
  const answer = await fetch(`${url}/login/link`, { method: 'POST', body, redirect: 'manual' });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Reads every address that shows something of an operator, and asks every tool. */
export async function walk(
  server: RunningServer,
  { codename, submission }: Walked,
  cookie?: string,
): Promise<Cost[]> {
  const costs: Cost[] = [];
  const filled = (template: string) =>
    template.replace('{name}', codename).replace('{id}', submission);
  for (const path of addresses().map(filled)) {
    costs.push(await costOf(server, path, () => fetch(server.url + path)));
  }
  for (const [name, { given = [], ofOperator = [] }] of Object.entries(TOOLS)) {
    for (const input of [...given, ...ofOperator.map((more) => ({ codename, ...more }))]) {
      costs.push(await costOf(server, `tool ${name}`, () => callTool(server, name, input)));
    }
  }
  for (const path of cookie === undefined ? [] : OWN) {
    const headers = { Cookie: cookie ?? '' };
    costs.push(await costOf(server, path, () => fetch(server.url + path, { headers })));
  }
  return costs;
}

/** Those with more than so many bytes or so long a turn, and those that failed. */
export function tooCostly(costs: readonly Cost[], most: Pick<Cost, 'bytes' | 'busyMs'>): Cost[] {
  return costs.filter(({ what, bytes, busyMs, status }) => {
    const isLong = bytes > most.bytes && !UNBOUNDED.test(what);
    return isLong || busyMs > most.busyMs || status >= 500;
  });
}

function addresses(): string[] {
  const templates = Object.values({ ...READS, ...PAGES }).flatMap(
    ({ addresses: of = [], ofOperator = [] }) => [...of, ...ofOperator],
  );
  const more = ['/api/v1/operators/{name}/history?window=all_time', '/badge/{name}.svg'];
  const all = [...templates, ...more, '/api/v1/leaderboard?window=90d&include=unranked&limit=100'];
  return [...new Set(all.flatMap((path) => [path, markdownPath(path) ?? []].flat()))];
}

async function costOf(
  server: RunningServer,
  what: string,
  ask: () => Promise<Response>,
): Promise<Cost> {
  const since = Date.now();
  const answer = await ask();
  const { byteLength } = await answer.arrayBuffer();
  await pause(5);
  return { what, status: answer.status, bytes: byteLength, busyMs: busiestSince(server, since) };
}

function busiestSince(server: RunningServer, since: number): number {
  const lines = server
    .log()
    .split('\n')
    .slice(-20)
    .filter((line) => line.includes('"busy"'));
  const told = lines.map((line) => JSON.parse(line) as { at: number; cpu_ms: number });
  return Math.max(0, ...told.filter(({ at }) => at >= since).map(({ cpu_ms }) => cpu_ms));
}

function callTool({ url }: RunningServer, name: string, given: object): Promise<Response> {
  const params = { name, arguments: given };
  return fetch(`${url}/api/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}
