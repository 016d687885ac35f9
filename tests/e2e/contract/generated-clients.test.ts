/** Clients that public generators create from the document of a board. */
import { readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type * as z from 'zod';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { Route } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { type CompilerFinding, compile } from '#tests/support/fuzz/compile.ts';
import { sharing } from '#tests/support/board/cleanup.ts';
import { ROOT } from '#tests/support/board/context.ts';
import { type FullBoard, aFullBoard } from '#tests/support/http/contract-board.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

const CLIENT = join(ROOT, 'tests', 'fixtures', 'client');
/** Programs based only on the document: one that reads everything, and one with deliberate mistakes. */
const PROGRAMS = ['consumer.ts', 'mistakes.ts'].map((name) => join(CLIENT, name));

/** The output of the consumer, typed here because only the generated project contains its source. */
interface Consumer {
  learn(baseUrl: string, send: typeof fetch): Promise<Record<string, unknown>>;
}

interface Clients {
  /** The compiler output for generated files and programs. */
  findings: CompilerFinding[];
  /** By the name of a response. */
  zod: Record<string, z.ZodType>;
  /** By the ID of an operation. */
  fetch: Record<string, (...args: unknown[]) => Promise<{ status: number; data: unknown }>>;
}

let board: FullBoard;
let clients: Clients;
const cleanups: (() => void)[] = [];

beforeAll(async () => {
  board = await sharing(cleanups, aFullBoard);
  const document = await (await fetch(`${board.server.url}/openapi.json`)).text();
  const types = astToString(await openapiTS(document));
  clients = await clientsOf(
    sharing(cleanups, () => aFolder({ 'openapi.json': document, 'types.ts': types })),
  );
});
afterAll(() => cleanups.forEach((clean) => clean()));

function importFile(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href);
}

/** Generates clients in a folder that contains the document. */
async function clientsOf(folder: string): Promise<Clients> {
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const fileOf = (name: string) => join(folder, `${name}.ts`);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  for (const client of ['zod', 'fetch'] as const) {
    const baseUrl = board.server.url;
    const output = { target: fileOf(client), client, mode: 'single', baseUrl } as const;
    await generate({ input: { target: join(folder, 'openapi.json') }, output });
  }
  log.mockRestore();
  const files = [...['types', 'zod', 'fetch'].map(fileOf), ...PROGRAMS];
  return {
    findings: compile(files, { 'board-api': [fileOf('types')] }),
    zod: (await importFile(fileOf('zod'))) as Clients['zod'],
    fetch: (await importFile(fileOf('fetch'))) as Clients['fetch'],
  };
}

/** Returns the board's response to a read, with existing names as parameters. */
async function answerOf({ path, method, auth }: Route): Promise<unknown> {
  const id = path.includes('/challenges/') ? board.challenge : board.receipt.id;
  const address = path.replace('{codename}', board.codename).replace('{id}', id);
  const token = await board.tokenFor(method, address);
  const headers = auth === 'public' ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(board.server.url + address, { headers });
  expect([address, response.status]).toEqual([address, 200]);
  return response.json();
}

/** Returns the names of members that are null anywhere in a value. */
function nullsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    member === null ? [name] : nullsIn(member),
  );
}

const READS = ROUTES.filter(({ method, auth, replyType }) => {
  return method === 'GET' && ['public', 'operator'].includes(auth) && replyType === undefined;
});

/** Returns the zod schema of an operation's response. */
function schemaOf({ id }: Pick<Route, 'id'>): z.ZodType {
  return clients.zod[`${id[0]?.toUpperCase()}${id.slice(1)}Response`] as z.ZodType;
}

describe('clients', () => {
  test('compile, except deliberate mistakes', () => {
    const text = readFileSync(join(CLIENT, 'mistakes.ts'), 'utf8');
    const calls = text.split('\n').flatMap((line, at) => {
      return /^ {2}(GET|POST)\(/.test(line) ? [`mistakes.ts:${at + 1}`] : [];
    });
    const wrong = clients.findings.map(({ line, message }) => {
      return `${basename(message.slice(0, message.indexOf(': ')))}:${line}`;
    });

    expect(calls.length).toBe(6);
    expect([...new Set(wrong)].sort()).toEqual(calls.sort());
  });

  test('read every public operation', async () => {
    const { server, codename, receipt, challenge, device } = board;
    const asked: string[] = [];
    const send: typeof fetch = (input, init) => {
      const request = input as Request;
      asked.push(`${request.method} ${new URL(request.url).pathname}`);
      return fetch(request, init);
    };

    const { learn } = (await importFile(join(CLIENT, 'consumer.ts'))) as Consumer;
    const learnt = await learn(server.url, send);

    expect(learnt).toMatchObject({
      rank: 1,
      cacheRead: 10_000_000,
      nextCursor: null,
      keptDays: 0,
      records: METRIC_NAMES,
      challenge,
      leaders: { yield: [codename], dev10x: [codename] },
      percentile: null,
      warnings: [],
      mentors: 'not_ranked',
      keyids: [device.keyid],
      counting: 10,
      collector: 'opbench',
      payloadType: 'application/vnd.opbench.snapshot.v1+json',
      signedIn: false,
      openapi: '3.0.3',
      resources: [server.url, `${server.url}/api/mcp`],
      issuers: [server.url, server.url],
      signing: 1,
      servers: [1, 2, 3].map(() => `${server.url}/api/mcp`),
      catalogued: [`${server.url}/api/mcp/server-card`],
      refusal: 'not_found',
    });
    expect(learnt['kinds']).toEqual(expect.arrayContaining(['board-key', 'enroll', 'snapshot']));
    expect(learnt['days']).toHaveLength(10);
    expect(learnt['csvHeader']).toMatch(/^rank,rank_range,/);
    const idIn = (path: string) => (path.includes('/challenges/') ? challenge : receipt.id);
    const reads = ROUTES.filter(({ auth }) => auth === 'public');
    const addresses = reads.map(({ method, path }) => {
      return `${method} ${path.replace('{codename}', codename).replace('{id}', idIn(path))}`;
    });
    expect(asked).toEqual(expect.arrayContaining(addresses));
  });

  test('of three generators read a real board', async () => {
    const nulls = new Set<string>();
    for (const route of READS) {
      const answer = await answerOf(route);
      // Leaves out undocumented members of open objects.
      expect(answer).toMatchObject(schemaOf(route).parse(answer) as object);
      nullsIn(answer).forEach((member) => nulls.add(member));
    }
    expect(READS.length).toBeGreaterThan(20);
    expect([...nulls]).toEqual(expect.arrayContaining(['cohort', 'movement', 'next_class']));

    const { getLeaderboard, getOperator } = clients.fetch;
    const unranked = { ...((await getOperator?.(board.codename))?.data as object), standing: null };
    const schema = schemaOf({ id: 'getOperator' });
    expect(schema.safeParse(unranked).success).toBe(true);
    expect(schema.safeParse({ ...unranked, standing: {} }).success).toBe(false);
    expect(await getLeaderboard?.({ limit: 1 })).toMatchObject({
      status: 200,
      data: { total: 1, entries: [{ codename: board.codename, rank: 1 }] },
    });
    expect(await getOperator?.('nobody-of-this-name')).toMatchObject({
      status: 404,
      data: { code: 'not_found' },
    });
  });
});
