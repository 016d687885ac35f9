/** Hundreds of slow clients at a board, and a normal reader. */
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { aFullBoard } from './contract-board.ts';
import { type RunningServer, eventually } from './server.ts';
import { type SlowClient, aRequest, aSlowClient } from './slow-client.ts';
import { processCpuMs } from '#tests/support/board/time.ts';

/** The maximum time the server waits, including the interval of its connection checks, in milliseconds. */
const GIVEN_UP_MS = { silent: 30_000, head: 30_000, body: 135_000, idle: 80_000, unread: 180_000 };
type Kind = keyof typeof GIVEN_UP_MS;
const KIND_NAMES = Object.keys(GIVEN_UP_MS) as Kind[];
/** Clients that send a byte now and then. */
const TRICKLING: readonly Kind[] = ['head', 'body'];
/** The interval between their bytes. */
const BYTE_MS = 1_000;
/** Limits of the median response time next to all slow clients, and of the server's processor time for one response. */
const MOST_MS = 2_000;
const MOST_MIB = 150;

/** What a client does after it connected. All but the first kind have sent something. */
const KINDS: Readonly<Record<Kind, (client: SlowClient) => void>> = {
  silent: () => undefined,
  head: (client) => client.send('GET / HTTP/1.1\r\nHost: board.example\r\nX-Slow: '),
  body: (client) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Length': '1000' };
    client.send(aRequest('POST /api/v1/snapshots', headers, '{'));
  },
  idle: (client) => client.send(aRequest('GET /robots.txt')),
  // More than the buffers of both sides can hold.
  unread: (client) => client.send(aRequest('GET /opbench.mjs').repeat(40)),
};

/**
 * Connects this many clients of each kind. Expects the board to respond to others as usual.
 *
 * @param waitsForEnd Whether to wait until the board has disconnected all of them.
 */
export async function expectPatience({
  each,
  waitsForEnd,
}: {
  each: number;
  waitsForEnd: boolean;
}): Promise<void> {
  const { server } = await aFullBoard();
  const before = usageOf(server);
  const began = performance.now();
  const crowd = await aCrowd(server.url, each);
  // Clients that read nothing do not notice the end either, so the board is checked.
  const hearing = crowd.filter(({ kind }) => kind !== 'unread');
  const ended = hearing.map((part) => endOf(part, began));

  const reads = await costsOfReading(server, 40);

  // A busy computer delays some responses, but not half of them.
  expect(medianOf(reads.map(({ ms }) => ms))).toBeLessThan(MOST_MS);
  expect(Math.max(...reads.map(({ cpuMs }) => cpuMs))).toBeLessThan(MOST_MS);
  const all = before.sockets + each * KIND_NAMES.length;
  const beside = await eventually(
    async () => usageOf(server),
    ({ sockets }) => sockets >= all,
  );
  expect(beside.sockets).toBeGreaterThanOrEqual(all);
  expect(beside.mib - before.mib).toBeLessThan(MOST_MIB);
  if (waitsForEnd) {
    const trickle = setInterval(() => trickleFrom(crowd), BYTE_MS);
    try {
      for (const { kind, ms } of await Promise.all(ended)) {
        expect(ms, kind).toBeLessThan(GIVEN_UP_MS[kind]);
      }
      while (usageOf(server).sockets > before.sockets + 2) {
        expect(performance.now() - began, 'unread').toBeLessThan(GIVEN_UP_MS.unread);
        await setTimeout(BYTE_MS);
      }
    } finally {
      clearInterval(trickle);
    }
  } else {
    crowd.flatMap(({ clients }) => clients).forEach(({ socket }) => socket.destroy());
  }
  const left = async () => usageOf(server).sockets;
  expect(await eventually(left, (sockets) => sockets <= before.sockets + 2)).toBeLessThanOrEqual(
    before.sockets + 2,
  );
  expect(server.log()).not.toContain('"level":"error"');
}

interface Crowd {
  kind: Kind;
  clients: SlowClient[];
}

async function aCrowd(url: string, each: number): Promise<Crowd[]> {
  const crowd: Crowd[] = [];
  for (const kind of KIND_NAMES) {
    const connecting = Array.from({ length: each }, () =>
      aSlowClient(url, { reads: kind !== 'unread' }),
    );
    const clients = await Promise.all(connecting);
    clients.forEach(KINDS[kind]);
    crowd.push({ kind, clients });
  }
  return crowd;
}

function trickleFrom(crowd: readonly Crowd[]): void {
  const slow = crowd.filter(({ kind }) => TRICKLING.includes(kind));
  slow.flatMap(({ clients }) => clients).forEach((client) => client.send('a'));
}

/** When the board had disconnected the last of them, in milliseconds since the start. */
async function endOf({ kind, clients }: Crowd, began: number): Promise<{ kind: Kind; ms: number }> {
  await Promise.all(clients.map((client) => client.closed()));
  return { kind, ms: performance.now() - began };
}

interface Cost {
  ms: number;
  /** Processor time of the server, for all clients. */
  cpuMs: number;
}

/** The time of each of this many sequential reads. */
async function costsOfReading({ url, pid }: RunningServer, reads: number): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (let at = 0; at < reads; at += 1) {
    const start = performance.now();
    const before = processCpuMs(pid);
    const path = at % 2 === 0 ? '/api/v1/leaderboard' : '/';
    const response = await fetch(url + path);
    await response.text();
    expect(response.status).toBe(200);
    costs.push({ ms: performance.now() - start, cpuMs: processCpuMs(pid) - before });
  }
  return costs;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** The open files of a process, as Linux reports them. */
export function usageOf({ pid }: Pick<RunningServer, 'pid'>): { sockets: number; mib: number } {
  const open = readdirSync(`/proc/${pid}/fd`).filter((name) => isSocket(`/proc/${pid}/fd/${name}`));
  const kib = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { sockets: open.length, mib: Number(kib) / 1024 };
}

/** A file may be closed while its folder is read. */
function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    return false;
  }
}
