/** The reports of a server without a process. */
import type { Health } from '#server/http/health.ts';
import { Requests, type RequestsOptions } from '#server/http/requests.ts';
import type { Telling } from '#server/http/server.ts';

/** Reports no requests unless configured, and no problems. */
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
    publication: { age_s: 7, stale: false, differed: false },
    backup: null,
    checkpoint: null,
    witnesses: null,
    object_store: null,
  };
  return { requests, condition: () => condition };
}
