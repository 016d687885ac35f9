/**
 * A process for the conformance suite: the HTTP layer, the gate and the transport of the board, with the suite's own
 * tools. Runs from source and prints its address on stdout.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIContext } from 'astro';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { listenUrl, readConfig } from '#server/config/config.ts';
import { createContext } from '#server/context.ts';
import { type Visitor, createHttpLayer } from '#server/http/http-layer.ts';
import { type Service, createHttpServer } from '#server/http/server.ts';
import { createLogger } from '#server/process/logger.ts';
import { mcpEndpoint } from '#server/mcp/endpoint.ts';
import { aTelling } from '#tests/support/http/telling.ts';
import { fixtureServer } from './server.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'opbench-fixture-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
process.once('SIGTERM', () => process.exit(0));

const config = readConfig({ DATA_DIR: dataDir, PORT: '0', RATE_LIMIT_PUBLIC: '1000000' });
const logger = createLogger((line) => process.stderr.write(line));
const answer = mcpEndpoint({
  serverOf: fixtureServer,
  isProtected: () => false,
  // The board's own mode, except for tools that need a stream.
  ...(process.env['STREAMS'] === '1' && { responseMode: 'auto' }),
});

let service: Service;
const server = createHttpServer(() => service, aTelling());
server.listen(0, config.host, () => {
  const { port } = server.address() as AddressInfo;
  const baseUrl = listenUrl(config, port);
  const release = { name: 'opbench', version: '1.0.0', node: '>=20' } as never;
  const ctx = createContext({ config: { ...config, baseUrl }, logger, release });
  const render = async (request: Request, visitor: Visitor): Promise<Response> =>
    answer({ request, locals: { ctx, ...visitor } } as unknown as APIContext);
  const listener = createHttpLayer({
    ...{ baseUrl, logger, render, routes: ROUTE_TABLE, limiter: ctx.limiter, now: ctx.now },
    ...{ proxies: null, readKey: () => null, readers: () => null, lookup: () => undefined },
  });
  service = { listener, baseUrl };
  process.stdout.write(`The fixture is served on ${baseUrl}\n`);
});
