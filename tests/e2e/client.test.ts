import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { type CompilerFinding, compile } from '../support/fuzz/compile.ts';
import { ROOT } from '../support/board/context.ts';
import { aFullBoard } from '../support/http/contract-board.ts';
import { aFolder } from '../support/logs/log-folder.ts';
import { type RunningServer, startServer } from '../support/http/server.ts';

const CLIENT = join(ROOT, 'tests', 'fixtures', 'client');

/** What the consumer gives; typed here, because no project but the generated one holds its source. */
interface Consumer {
  learn(baseUrl: string, send: typeof fetch): Promise<Record<string, unknown>>;
}

/** Types of the served document, as the public generator makes them. */
async function generatedTypes({ url }: RunningServer): Promise<string> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Parameters<
    typeof openapiTS
  >[0];
  return astToString(await openapiTS(document));
}

/** What the compiler says of a file that imports these types as `board-api`. */
function compileWith(file: string, types: string): CompilerFinding[] {
  const folder = aFolder({ 'schema.d.ts': types });
  return compile([file], { 'board-api': [join(folder, 'schema.d.ts')] });
}

test('a client generated from the document reads every public operation', async () => {
  const { server, codename, receipt, challenge, device } = await aFullBoard();
  const types = await generatedTypes(server);
  const asked: string[] = [];
  const send: typeof fetch = (input, init) => {
    const request = input as Request;
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return fetch(request, init);
  };

  const { learn } = (await import(join(CLIENT, 'consumer.ts'))) as Consumer;
  const learnt = await learn(server.url, send);

  expect(compileWith(join(CLIENT, 'consumer.ts'), types)).toEqual([]);
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

test('the generated types forbid what the document does not allow', async () => {
  const file = join(CLIENT, 'mistakes.ts');
  const types = await generatedTypes(await startServer());
  const wrong = new Set(compileWith(file, types).map(({ line }) => line));
  const lines = readFileSync(file, 'utf8').split('\n');
  const calls = lines.flatMap((text, at) => (/^ {2}(GET|POST)\(/.test(text) ? [at + 1] : []));

  expect(calls.length).toBe(6);
  expect([...wrong].sort((a, b) => a - b)).toEqual(calls);
});
