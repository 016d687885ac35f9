/** How requests for an address and method are answered, whatever the result. */
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import type { IncomingMessage } from 'node:http';
import type { RoutePolicy } from './route-policy.ts';
import type { Route } from '#core/contract/route.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';

export interface ResponsePolicy {
  /** The headers of all its responses: name, value, name, value. */
  headers: readonly string[];
  /** Further headers of its response to OPTIONS. */
  preflight: readonly string[];
  /** The policy by which requests are counted. */
  limit: 'mcp' | 'pages' | 'public';
  bodyLimitBytes: number;
  /** Whether successful responses are streamed. */
  isStreamed: boolean;
  /** When it stops answering, in epoch milliseconds. */
  goneAtMs: number;
  /** Origins whose pages may call it with a token and read the response. */
  origins: readonly string[];
}

/** The response headers that pages of any site may read. */
const EXPOSED = [
  'ETag',
  'Link',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** What a response depends on and who may use it, from which its headers are made. */
interface Answering extends Partial<Omit<ResponsePolicy, 'headers' | 'preflight'>> {
  security: Readonly<Record<string, string>>;
  /** Request headers in addition to those that its limit and origins imply. */
  vary?: readonly string[];
  /** The methods and headers that pages of any site may use; none if absent. */
  shared?: Sharing | undefined;
  /** Whether the response states how crawlers may use it. */
  isSignaled?: boolean;
  headers?: Readonly<Record<string, string>>;
}

interface Sharing {
  methods: string;
  fields: string;
}

/** What pages of any site may do with public data. */
export const SHARED_READ: Sharing = {
  methods: 'GET, HEAD, OPTIONS',
  fields: 'X-API-Key, If-None-Match, MCP-Protocol-Version',
};
/** What apps may do from any page. All are public clients without credentials. */
export const SHARED_POST: Sharing = {
  methods: 'POST, OPTIONS',
  fields: 'Content-Type, MCP-Protocol-Version',
};

export function responsePolicy(answering: Answering): ResponsePolicy {
  const { limit = 'pages', origins = [], shared, headers } = answering;
  const { bodyLimitBytes = BODY_LIMIT_BYTES, isStreamed = false, goneAtMs = Infinity } = answering;
  return {
    headers: Object.entries({ ...headersOf(answering), ...headers }).flat(),
    preflight: shared ? preflightOf(shared) : [],
    ...{ limit, bodyLimitBytes, isStreamed, goneAtMs, origins },
  };
}

function headersOf({ security, shared, isSignaled, ...answering }: Answering) {
  const { vary = ['Accept-Encoding'], limit, origins = [] } = answering;
  const fields = [
    ...vary,
    ...(limit === 'public' ? ['X-API-Key'] : []),
    ...(origins.length > 0 ? ['Origin'] : []),
  ];
  return {
    ...security,
    ...(fields.length > 0 && { Vary: fields.join(', ') }),
    ...(shared && {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': EXPOSED,
    }),
    ...(isSignaled && { 'Content-Signal': CONTENT_SIGNAL }),
  };
}

function preflightOf({ methods, fields }: Sharing): string[] {
  return [
    ...['Access-Control-Allow-Methods', methods],
    ...['Access-Control-Allow-Headers', fields],
    ...['Access-Control-Max-Age', '86400'],
  ];
}

/** The headers that pages of trusted origins may send. */
const SENT = [
  'Authorization',
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

/** The CORS headers for a page of a trusted origin; empty for any other origin. Cookies are never allowed. */
export function originFields(
  { headers: { origin }, method }: IncomingMessage,
  { methods }: Pick<RoutePolicy, 'methods'>,
  { origins }: Pick<ResponsePolicy, 'origins'>,
): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  const read = ['Access-Control-Allow-Origin', origin, 'Access-Control-Expose-Headers', EXPOSED];
  if (method !== 'OPTIONS') return read;
  const asked = {
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': SENT,
    'Access-Control-Max-Age': '86400',
  };
  return [...read, ...Object.entries(asked).flat()];
}

/**
 * The headers that announce an operation's retirement.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9745 | RFC 9745} and {@link https://www.rfc-editor.org/rfc/rfc8594 |
 * RFC 8594}
 */
export function deprecationHeaders(route: Route): Readonly<Record<string, string>> {
  if (!route.deprecation) return {};
  const { since, successor } = route.deprecation;
  const explained = `</developers/${route.tag}#${route.id}>; rel="deprecation"; type="text/html"`;
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(goneAtMs(route)).toUTCString(),
    Link: `${explained}, <${successor}>; rel="successor-version"`,
  };
}

/** When an operation stops answering: at the end of its last day, or never. */
export function goneAtMs({ deprecation }: Route): number {
  return deprecation ? Date.parse(deprecation.sunset) + DAY_MS : Infinity;
}
