import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import type { ListenAddress } from '../config/operation-config.ts';
import { listen } from '../listen.ts';
import type { Watch } from '../process/admin-actions.ts';
import type { Logger } from '../process/logger.ts';

const OPTIONS = { headersTimeout: 10_000, requestTimeout: 10_000, keepAliveTimeout: 65_000 };
/** A few programs scrape a board. */
const MAX_CONNECTIONS = 20;
const HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

interface MetricsServerOptions {
  registry: Registry;
  logger: Pick<Logger, 'error' | 'info'>;
}

/**
 * Serves metrics at `/metrics`, on an address of their own that the proxy does not publish.
 *
 * @throws {ConfigError} if the address cannot be used.
 */
export async function serveMetrics(
  { host, port }: ListenAddress,
  { registry, logger }: MetricsServerOptions,
): Promise<Watch> {
  const server = createServer(OPTIONS, (request, response) => {
    answer(request, response, registry).catch((error: unknown) => {
      logger.error('metrics_failed', error);
      send(request, response, { status: 500, text: 'The metrics cannot be read\n' });
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  const bound = await listen(server, { host, port, setting: 'METRICS_LISTEN' });
  logger.info('metrics_started', { host, port: bound });
  return { stop: () => stop(server) };
}

function stop(server: Server): void {
  server.close();
  server.closeAllConnections();
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  registry: Registry,
): Promise<void> {
  const { method = '', url = '' } = request;
  if (!['GET', 'HEAD'].includes(method)) {
    response.setHeader('Allow', 'GET, HEAD');
    return send(request, response, { status: 405, text: 'Use GET\n' });
  }
  if (!/^\/metrics(?:\?|$)/.test(url)) {
    return send(request, response, { status: 404, text: 'The metrics are at /metrics\n' });
  }
  const text = await registry.metrics();
  send(request, response, { status: 200, text, type: registry.contentType });
}

interface Answer {
  status: number;
  text: string;
  type?: string;
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8' }: Answer,
): void {
  const length = Buffer.byteLength(text);
  response.writeHead(status, { ...HEADERS, 'Content-Type': type, 'Content-Length': length });
  response.end(method === 'HEAD' ? undefined : text);
}
