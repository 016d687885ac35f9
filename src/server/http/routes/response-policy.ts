/** How requests of one address and method are answered, whatever the answer is. */
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import type { IncomingMessage } from 'node:http';
import type { RoutePolicy } from './route-policy.ts';
import type { Route } from '#core/contract/route.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';

export interface ResponsePolicy {
  /** The headers of all its answers: name, value, name, value. */
  headers: readonly string[];
  /** What else its answer to OPTIONS carries. */
  preflight: readonly string[];
  /** The policy that requests are counted by. */
  limit: 'mcp' | 'pages' | 'public';
  bodyLimitBytes: number;
  /** Whether its successes are sent while they are made. */
  isStreamed: boolean;
  /** From when on it answers no more, in epoch milliseconds. */
  goneAtMs: number;
  /** Pages of these origins may call it with a token and read what it answers. */
  origins: readonly string[];
}

/** What a page of any site may read of an answer's head. */
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

/** What an answer depends on and who may use it, from which its headers are made. */
interface Answering extends Partial<Omit<ResponsePolicy, 'headers' | 'preflight'>> {
  security: Readonly<Record<string, string>>;
  /** The request fields besides those that its limit and its origins imply. */
  vary?: readonly string[];
  /** The methods and fields that pages of any site may use; they may use none if absent. */
  shared?: Sharing | undefined;
  /** Whether crawlers are told what they may do with it. */
  isSignaled?: boolean;
  headers?: Readonly<Record<string, string>>;
}

interface Sharing {
  methods: string;
  fields: string;
}

/** What any page may do with what everybody may read. */
export const SHARED_READ: Sharing = {
  methods: 'GET, HEAD, OPTIONS',
  fields: 'X-API-Key, If-None-Match, MCP-Protocol-Version',
};
/** What applications may do from any page: all are public clients, which show no credential. */
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

/** What pages of other sites may send that are trusted with a token. */
const SENT = [
  'Authorization',
  'Content-Type',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
].join(', ');

/**
 * What an answer says to a page of another origin that is trusted with a token; nothing to all others,
 * and nothing of cookies, which never come along.
 */
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
 * @see {@link https://www.rfc-editor.org/rfc/rfc9745 | RFC 9745} and
 *   {@link https://www.rfc-editor.org/rfc/rfc8594 | RFC 8594}
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
