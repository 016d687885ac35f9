/** The HTTP layer of a process on loopback, with a renderer that records its requests. */
import { randomUUID } from 'node:crypto';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { limitsOf } from '#core/contract/limits.ts';
import { type HttpLayerOptions, type Visitor, createHttpLayer } from '#server/http/http-layer.ts';
import { RateLimiter } from '#server/process/rate-limit.ts';
import { BASE_URL, NOW_MS } from '../board/builders.ts';
import { loopback } from './loopback.ts';

/** The host of the base URL, for the Host header. */
export const HOST = { Host: new URL(BASE_URL).host };

/** `publicReads` is the quota of public reads. The quota of pages is ten times that. */
export async function anHttpLayer(over: Partial<HttpLayerOptions> = {}, publicReads = 1_000_000) {
  const errors: unknown[] = [];
  const visitors: Visitor[] = [];
  const clock = { nowMs: NOW_MS };
  const options: HttpLayerOptions = {
    baseUrl: BASE_URL,
    routes: ROUTE_TABLE,
    limiter: new RateLimiter(limitsOf({ publicReads, writes: 20 }), () => clock.nowMs),
    readKey: () => null,
    proxies: null,
    now: () => new Date(clock.nowMs),
    logger: {
      info: () => undefined,
      warn: () => undefined,
      error: (_, error) => void errors.push(error),
    },
    lookup: () => undefined,
    readers: () => null,
    render: async (request, visitor) => {
      visitors.push(visitor);
      return Response.json({
        method: request.method,
        url: request.url,
        header: request.headers.get('x-test'),
        body: (await request.text()).slice(0, 100),
      });
    },
    ...over,
  };
  const front = createHttpLayer(options);
  const ask = await loopback((request, response) => front(request, response, randomUUID()));
  return { ask, errors, visitors, clock };
}

/** A body that is available immediately. */
export function anUpload(): Visitor['upload'] {
  return { enter: () => Promise.resolve(), leave: () => undefined };
}
