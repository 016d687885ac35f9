import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { expect, test, vi } from 'vitest';
import type * as z from 'zod';
import type { Route } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { compile } from '../support/fuzz/compile.ts';
import { ROOT } from '../support/board/context.ts';
import { type FullBoard, aFullBoard } from '../support/http/contract-board.ts';
import { aFolder } from '../support/logs/log-folder.ts';

/** The clients that public generators make of the document that a board serves. */
interface Clients {
  files: string[];
  /** By the name of an answer. */
  zod: Record<string, z.ZodType>;
  /** By the ID of an operation. */
  fetch: Record<string, (...args: unknown[]) => Promise<{ status: number; data: unknown }>>;
}

async function clientsOf(url: string): Promise<Clients> {
  const document = await (await fetch(`${url}/openapi.json`)).text();
  const types = astToString(await openapiTS(document));
  const folder = aFolder({ 'types.ts': types, 'openapi.json': document });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const fileOf = (name: string) => join(folder, `${name}.ts`);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  for (const client of ['zod', 'fetch'] as const) {
    const output = { target: fileOf(client), client, mode: 'single', baseUrl: url } as const;
    await generate({ input: { target: join(folder, 'openapi.json') }, output });
  }
  log.mockRestore();
  return {
    files: ['types', 'zod', 'fetch'].map(fileOf),
    zod: (await import(fileOf('zod'))) as Clients['zod'],
    fetch: (await import(fileOf('fetch'))) as Clients['fetch'],
  };
}

/** What the board answers to a read, with names that it knows in place of its parameters. */
async function answerOf({ path, method, auth }: Route, board: FullBoard): Promise<unknown> {
  const id = path.includes('/challenges/') ? board.challenge : board.receipt.id;
  const address = path.replace('{codename}', board.codename).replace('{id}', id);
  const token = await board.tokenFor(method, address);
  const headers = auth === 'public' ? {} : { Authorization: `Bearer ${token}` };
  const response = await fetch(board.server.url + address, { headers });
  expect([address, response.status]).toEqual([address, 200]);
  return response.json();
}

/** The names of the members that are null anywhere in a value. */
function nullsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    member === null ? [name] : nullsIn(member),
  );
}

const READS = ROUTES.filter(({ method, auth, replyType }) => {
  return method === 'GET' && ['public', 'operator'].includes(auth) && replyType === undefined;
});

/** The zod schema of an operation's answer. */
function schemaOf({ id }: Pick<Route, 'id'>, { zod }: Clients): z.ZodType {
  return zod[`${id[0]?.toUpperCase()}${id.slice(1)}Response`] as z.ZodType;
}

test(
  'three clients generated from the document compile, and read a real board',
  { timeout: 180_000 },
  async () => {
    const board = await aFullBoard();
    const clients = await clientsOf(board.server.url);
    expect(compile(clients.files)).toEqual([]);

    const nulls = new Set<string>();
    for (const route of READS) {
      const answer = await answerOf(route, board);
      // Members of open objects that have no name in the document are left out.
      expect(answer).toMatchObject(schemaOf(route, clients).parse(answer) as object);
      nullsIn(answer).forEach((member) => nulls.add(member));
    }
    expect(READS.length).toBeGreaterThan(20);
    expect([...nulls]).toEqual(expect.arrayContaining(['cohort', 'movement', 'next_class']));

    const { getLeaderboard, getOperator } = clients.fetch;
    const unranked = { ...((await getOperator?.(board.codename))?.data as object), standing: null };
    const schema = schemaOf({ id: 'getOperator' }, clients);
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
  },
);
