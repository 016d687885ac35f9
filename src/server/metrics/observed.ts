/** The metrics that are recorded as things happen. */
import type { Histogram, Registry } from '@prometheus-io/client';
import type { RequestLine } from '../http/requests.ts';
import type { Client } from './registry.ts';

/** From prepared pages, which take a fraction of a millisecond, to requests that time out. */
const REQUEST_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** From boards without changes to the first update of a large one. */
const PUBLICATION_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** Other methods are counted together, so that clients cannot invent label values. */
const METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
]);

export interface Observed {
  request: (request: RequestLine) => void;
  publication: (tookMs: number) => void;
}

export function observedIn(registers: Registry[], { Counter, Histogram }: Client): Observed {
  const requests = new Counter({
    name: 'opbench_http_requests_total',
    help: 'Requests by route, method and class of the status, except health probes.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds: Histogram<'route'> = new Histogram({
    name: 'opbench_http_request_duration_seconds',
    help: 'The time from the head of a request to the end of its response.',
    labelNames: ['route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const publications = new Histogram({
    name: 'opbench_publication_duration_seconds',
    help: 'The time that each update took, including the first page.',
    buckets: PUBLICATION_SECONDS,
    registers,
  });
  return {
    request: ({ route, method, status, ms }) => {
      requests.inc({ route, method: methodOf(method), status: classOf(status) });
      // Malformed requests have no route, and take no time.
      if (route !== '-') seconds.observe({ route }, ms / 1000);
    },
    publication: (tookMs) => publications.observe(tookMs / 1000),
  };
}

function methodOf(method: string): string {
  return METHODS.has(method) ? method : 'other';
}

/** `2xx`, or `none` if the client left before there was a response. */
function classOf(status: number | null): string {
  return status === null ? 'none' : `${Math.floor(status / 100)}xx`;
}
