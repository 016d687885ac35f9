/** Reads everything that a board shows of an operator, and measures the cost of each. */
import { setTimeout as pause } from 'node:timers/promises';
import { markdownPath } from '#core/contract/site-routes.ts';
import type { RunningServer } from './server.ts';
import { PAGES, READS, TOOLS } from './surfaces.ts';

/** Preloads the monitor of the server's main thread. */
export const WATCHED = `--import=${new URL('main-thread.mjs', import.meta.url).href}`;

/** The operator whose data is read. */
export interface Walked {
  codename: string;
  /** One of their submissions. */
  submission: string;
}

export interface Cost {
  what: string;
  status: number;
  bytes: number;
  /** The longest time that the main thread was blocked during the request, in ms of its CPU time; 0 below 20. */
  busyMs: number;
}

/** Long responses that are sent in chunks, and the exact bytes that a device signed. */
const UNBOUNDED =
  /^\/(?:log\.ndjson\.gz|log\/payload\/\d+|api\/v1\/account\/export|api\/v1\/submissions\/[^/]+\/envelope)/;

const SURFACES = Object.values({ ...READS, ...PAGES });
const OF_BOARD = [
  ...SURFACES.flatMap(({ addresses = [] }) => addresses),
  '/api/v1/leaderboard?window=90d&include=unranked&limit=100',
];
const OF_OPERATOR = [
  ...SURFACES.flatMap(({ ofOperator = [] }) => ofOperator),
  '/api/v1/operators/{name}/history?window=all_time',
  '/badge/{name}.svg',
];

/** Pages and reads that only the operator can see. */
const OWN = [
  ...['', '/profile', '/privacy', '/sign-in', '/applications', '/data'].map(
    (at) => `/settings${at}`,
  ),
  ...['me', 'devices', 'account/sessions', 'peers?limit=20', 'improvements', 'account/export'].map(
    (at) => `/api/v1/${at}`,
  ),
  '/where-am-i?window=30d&metric=yield',
];

/** Reads every address that shows data of a board or of an operator, and calls every tool. */
export async function walk(
  server: RunningServer,
  walked: Walked,
  cookie?: string,
): Promise<Cost[]> {
  const costs = await costsOf(server, withTwins(OF_BOARD));
  for (const [name, { given = [] }] of Object.entries(TOOLS)) {
    for (const input of given) costs.push(await costOfTool(server, name, input));
  }
  costs.push(...(await walkOperator(server, walked)));
  if (cookie !== undefined) costs.push(...(await costsOf(server, OWN, { Cookie: cookie })));
  return costs;
}

/** Reads every address that shows data of one operator, and calls the tools about them. */
async function walkOperator(
  server: RunningServer,
  { codename, submission }: Walked,
): Promise<Cost[]> {
  const filled = withTwins(OF_OPERATOR).map((template) =>
    template.replace('{name}', codename).replace('{id}', submission),
  );
  const costs = await costsOf(server, filled);
  for (const [name, { ofOperator = [] }] of Object.entries(TOOLS)) {
    for (const more of ofOperator) {
      costs.push(await costOfTool(server, name, { codename, ...more }));
    }
  }
  return costs;
}

/** Reads that exceed this many bytes or this blocking time, and failed ones. */
export function tooCostly(costs: readonly Cost[], most: Pick<Cost, 'bytes' | 'busyMs'>): Cost[] {
  return costs.filter(({ what, bytes, busyMs, status }) => {
    const isLong = bytes > most.bytes && !UNBOUNDED.test(what);
    return isLong || busyMs > most.busyMs || status >= 500;
  });
}

/** Pages, each with its Markdown version, and reads. */
function withTwins(templates: readonly string[]): string[] {
  return [...new Set(templates.flatMap((path) => [path, markdownPath(path) ?? []].flat()))];
}

async function costsOf(
  server: RunningServer,
  paths: readonly string[],
  headers: Record<string, string> = {},
): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const path of paths) {
    costs.push(await costOf(server, path, () => fetch(server.url + path, { headers })));
  }
  return costs;
}

function costOfTool(server: RunningServer, name: string, input: object): Promise<Cost> {
  return costOf(server, `tool ${name}`, () => callTool(server, name, input));
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
