/** What a server without a process around it tells. */
import type { Health } from '#server/http/health.ts';
import { Requests, type RequestsOptions } from '#server/http/requests.ts';
import type { Telling } from '#server/http/server.ts';

/** Tells of no request, unless told otherwise, and that all is well. */
export function aTelling(over: Partial<RequestsOptions> = {}): Telling {
  const requests = new Requests({
    logging: 'none',
    add: () => undefined,
    routeOf: () => 'other',
    ...over,
  });
  const condition: Health = {
    process: 'ok',
    database: 'ok',
    publication: { age_s: 7, stale: false },
  };
  return { requests, condition: () => condition };
}
