/** Many readers of a board that is published repeatedly while devices submit. */
import { createHash } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Leaderboard } from '#core/contract/leaderboard.ts';
import { type TestDevice, bucketsOfDays } from '../board/builders.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type TestContext, anEnrolledDevice, submit, testContext } from '../board/context.ts';
import { daysAgo } from '../agent/installation.ts';
import { type RunningServer, eventually, startServer } from './server.ts';
import { aLivePayload, postSnapshot } from './wire.ts';

const JSON_PATH = '/api/v1/leaderboard?window=30d&metric=yield&limit=100';
const PAGE_PATH = '/leaderboard/30d/yield';
const PATHS = [JSON_PATH, PAGE_PATH, '/', '/api/v1/metrics/leaders?window=30d'];
const DAYS = 10;
/** Devices that submit while others read. */
const WRITERS = 4;

/** The content of one publication, as all readers saw it. */
interface Said {
  log_index: number;
  /** The operator in first place. */
  first: string;
}

interface Seen {
  /** By the time of the publication. */
  boards: Map<string, Said>;
  pages: Map<string, string>;
  /** By tag: the hash of the content. */
  tags: Map<string, string>;
  statuses: Map<number, number>;
}

/**
 * Lets readers read and devices submit at the same time. Expects each response to be complete, tagged, and from one
 * publication.
 *
 * @param reads How often each reader sends a request, one after the other.
 */
export async function expectCalmReading({
  operators,
  readers,
  reads,
}: {
  operators: number;
  readers: number;
  reads: number;
}): Promise<void> {
  const { server, devices } = await aLivelyBoard(operators);
  const seen: Seen = { boards: new Map(), pages: new Map(), tags: new Map(), statuses: new Map() };
  const agent = new Agent({ keepAlive: true, maxSockets: readers });
  const reading = { isOver: false };
  const writing = Promise.all(devices.map((device, at) => writeOn(server, device, at, reading)));
  // Errors are reported below, when the readers are done.
  writing.catch(() => undefined);
  try {
    await Promise.all(
      Array.from({ length: readers }, (_, at) => readOn(server.url, { agent, seen, at, reads })),
    );
  } finally {
    reading.isOver = true;
    agent.destroy();
    await writing;
  }

  expect([200, 304]).toEqual(expect.arrayContaining([...seen.statuses.keys()]));
  expect(await statusOfHeld(server.url + JSON_PATH)).toBe(304);
  expect(seen.boards.size).toBeGreaterThan(1);
  const both = [...seen.pages].filter(([instant]) => seen.boards.has(instant));
  expect(both.length).toBeGreaterThan(0);
  for (const [instant, first] of both) expect(seen.boards.get(instant)?.first).toBe(first);
  expect(server.log()).not.toContain('"level":"error"');
}

/** A board with this many operators, some of whose devices can continue. */
async function aLivelyBoard(operators: number) {
  const ctx = testContext();
  ctx.clock.nowMs = Date.now();
  const devices: TestDevice[] = [];
  for (let at = 0; at < operators; at += 1) devices.push(await anOperatorWithDays(ctx, at));
  const { dataDir } = ctx.config;
  const server = await startServer({ dataDir, env: { REFRESH_SECONDS: '0.3' } });
  const ranked = async () =>
    ((await (await fetch(server.url + JSON_PATH)).json()) as Leaderboard).total;
  expect(await eventually(ranked, (total) => total === operators)).toBe(operators);
  return { server, devices: devices.slice(0, WRITERS) };
}

async function anOperatorWithDays(ctx: TestContext, at: number): Promise<TestDevice> {
  const device = await anEnrolledDevice(ctx, `operator-${at}`);
  await submit(ctx, device, daysOf(at, 1));
  return device;
}

/** Distinct days, because equal ones would be put on hold. */
function daysOf(operator: number, growth: number): Bucket[] {
  return bucketsOfDays(DAYS, daysAgo(DAYS)).map((bucket, day) => {
    const scale = (pillar: number) => {
      const wave =
        Math.sin((operator + 1) * 12.9898 + day * 78.233 + pillar * 37.719) * 43_758.5453;
      return growth * (0.6 + wave - Math.floor(wave));
    };
    return {
      ...bucket,
      input: Math.round(bucket.input * scale(1)),
      output: Math.round(bucket.output * scale(2)),
      cache_write: Math.round((bucket.cache_write ?? 0) * scale(3)),
      cache_read: Math.round((bucket.cache_read ?? 0) * scale(4)),
    };
  });
}

/** Submits other days repeatedly, so that boards differ. */
async function writeOn(
  server: RunningServer,
  device: TestDevice,
  at: number,
  reading: { isOver: boolean },
): Promise<void> {
  for (let round = 1; !reading.isOver; round += 1) {
    const buckets = daysOf(at + round * WRITERS, 1 + round / 100);
    const sealed = await device.seal(aLivePayload(server, buckets));
    // On a busy computer, the database may be locked for too long. The same snapshot may then be sent again.
    const { status } = await eventually(
      () => postSnapshot(server, sealed),
      (answer) => answer.status !== 503,
    );
    expect([200, 201]).toContain(status);
  }
}

/** What a reader gets for a cached copy once nothing changes any more. */
async function statusOfHeld(url: string): Promise<number> {
  const again = async () => {
    const agent = new Agent();
    const { headers } = await ask(url, { agent, headers: {} });
    const held = { 'If-None-Match': headers.etag ?? '' };
    return (await ask(url, { agent, headers: held })).status;
  };
  return eventually(again, (status) => status === 304);
}

interface Reader {
  agent: Agent;
  seen: Seen;
  at: number;
  reads: number;
}

async function readOn(url: string, { agent, seen, at, reads }: Reader): Promise<void> {
  const held = new Map<string, string>();
  let newest = 0;
  // On a busy computer, a publication takes that long.
  const isEnough = (read: number) => read >= reads && (seen.boards.size > 1 || read > 50 * reads);
  for (let read = 0; !isEnough(read); read += 1) {
    const path = PATHS[Math.floor((at + read) / 2) % PATHS.length] ?? '';
    const known = held.get(path);
    const encoding = at % 2 === 0 ? 'gzip' : 'identity';
    const headers = { 'Accept-Encoding': encoding, ...(known && { 'If-None-Match': known }) };
    const answer = await ask(url + path, { agent, headers });
    seen.statuses.set(answer.status, (seen.statuses.get(answer.status) ?? 0) + 1);
    const tag = tagOf(answer, known);
    if (answer.status !== 200) continue;
    held.set(path, tag);
    const isPacked = answer.headers['content-encoding'] === 'gzip';
    const text = (isPacked ? gunzipSync(answer.bytes) : answer.bytes).toString();
    noteOnce(
      seen.tags,
      tag,
      createHash('sha256').update(text.replaceAll(MOMENTS, '')).digest('hex'),
    );
    if (path === JSON_PATH) newest = noteBoard(seen, JSON.parse(text) as Leaderboard, newest);
    if (path === PAGE_PATH) notePage(seen, text);
  }
}

/** The time at which a response was computed, which its tag does not depend on. */
const MOMENTS =
  /<time data-computed\b[^>]*>[^<]*<\/time>|"(?:as_of|dateModified|generated_at|next_refresh_at|temporalCoverage)":"[^"]*"/g;

/** The tag of a complete response. */
function tagOf({ status, headers, bytes }: Answered, known: string | undefined): string {
  const tag = headers.etag ?? '';
  expect(tag).toMatch(/^(?:W\/)?"[^"]+"$/);
  if (status === 200) expect(bytes).toHaveLength(Number(headers['content-length']));
  else expect(tag).toBe(known);
  return tag;
}

/** Records a board's state. Returns the log index, which never decreases for a reader. */
function noteBoard(seen: Seen, board: Leaderboard, newest: number): number {
  const { generated_at, log_index, entries, total } = board;
  expect(entries).toHaveLength(Math.min(total, 100));
  const values = entries.map(({ rank }) => rank);
  expect(values).toEqual(values.toSorted((a, b) => Number(a) - Number(b)));
  expect(log_index).toBeGreaterThanOrEqual(newest);
  const first = entries[0]?.codename ?? '';
  const known = seen.boards.get(generated_at);
  if (known) expect({ log_index, first }).toEqual(known);
  else seen.boards.set(generated_at, { log_index, first });
  return log_index;
}

function notePage(seen: Seen, html: string): void {
  expect(html.trimEnd().endsWith('</html>')).toBe(true);
  const instant =
    /<time data-computed[^>]* datetime="(\d{4}-\d\d-\d\dT[\d:.]+Z)"/.exec(html)?.[1] ?? '';
  const first = /href="\/operators\/([a-z0-9-]+)/.exec(html)?.[1] ?? '';
  expect([instant, first]).not.toContain('');
  noteOnce(seen.pages, instant, first);
}

/** Records a value. Another value under the same name is an error. */
function noteOnce(values: Map<string, string>, name: string, value: string): void {
  expect(values.get(name) ?? value).toBe(value);
  values.set(name, value);
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends requests over a persistent connection, because `fetch` would open too many, and would decompress the bytes. */
async function ask(
  url: string,
  options: { agent: Agent; headers: Record<string, string> },
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    get(url, options, (response) => {
      buffer(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        reject,
      );
    }).once('error', reject);
  });
}
