/** The headers of every response. */
import { CONTENT_SIGNAL } from '../crawlers.ts';
import headers from './headers.json' with { type: 'json' };
import type { SchemaObject } from './openapi-schemas.ts';
import { CREDENTIALS, type Credential, type Route, isCounted, isShared } from '../route.ts';

/** A header as described in the document. */
export interface HeaderObject {
  description: string;
  required: boolean;
  schema: SchemaObject;
  example?: string | number;
}
/** The headers of a response by name, as descriptions or references. */
export type Headers = Record<string, HeaderObject | { $ref: string }>;

/** All headers. `required` applies to responses that declare the header, unless a response overrides it. */
export const HEADERS: Readonly<Record<HeaderName, HeaderObject>> = {
  ...(headers as Record<HeaderName, HeaderObject>),
  'Content-Signal': {
    ...headers['Content-Signal'],
    schema: { type: 'string', enum: [CONTENT_SIGNAL] },
  },
};
/** The name of a header of responses. */
type HeaderName = keyof typeof headers;

/** Returns the headers that a response with this status can have, sorted by name. */
export function headersOf(route: Route, status: number): Headers {
  const names: HeaderName[] = ['Cache-Control', 'X-Request-Id'];
  if (!BEFORE_ROUTING.includes(status)) names.push(...afterRouting(route, status));
  const sorted = [...new Set(names)].sort();
  return Object.fromEntries(sorted.map((name) => [name, headerOf(name, status)]));
}

/** Statuses of requests that are rejected before their address is known. */
const BEFORE_ROUTING: readonly number[] = [408, 431];

function afterRouting(route: Route, status: number): HeaderName[] {
  return [
    'Vary',
    ...(status < 400 ? ofSuccess(route, status) : ofRefusal(route, status)),
    ...(isShared(route) ? SHARED : []),
    ...(isCounted(route) ? COUNTED : []),
    ...(route.deprecation ? DEPRECATED : []),
  ];
}

const SHARED: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Content-Signal',
];
const DEPRECATED: readonly HeaderName[] = ['Deprecation', 'Link', 'Sunset'];

const COUNTED: readonly HeaderName[] = [
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

function ofSuccess(route: Route, status: number): HeaderName[] {
  if (status === 307) return ['Location'];
  const names: HeaderName[] = [];
  if (isShared(route)) names.push('ETag');
  else if (route.auth !== 'body' && route.auth !== 'key') names.push('Set-Cookie');
  if (route.table) names.push('Link');
  if (status === 200 && (route.table || route.fileName)) names.push('Content-Disposition');
  if (route.location) names.push('Location');
  return names;
}

/** Whether a credential is sent in the Authorization header, which can be malformed. */
const isToken = (credential: Credential) => credential === 'bearer' || credential === 'device';

function ofRefusal({ auth }: Route, status: number): HeaderName[] {
  switch (status) {
    case 400:
    case 403:
      return CREDENTIALS[auth].some(isToken) ? ['WWW-Authenticate'] : [];
    case 401:
      return ['WWW-Authenticate'];
    case 405:
      return ['Allow'];
    case 415:
      return ['Accept'];
    case 429:
      return ['RateLimit', 'RateLimit-Policy', 'Retry-After'];
    case 503:
      return ['Retry-After'];
    default:
      return [];
  }
}

/** The headers that a starting or failing server also sends. */
const ALWAYS_SAID: readonly HeaderName[] = ['Cache-Control', 'Retry-After'];

/** Whether an error with this status can lack the header: not every 403 is about a token, for example. */
function mayLack(name: HeaderName, status: number): boolean {
  if (status === 429) return name === 'RateLimit' || name === 'RateLimit-Policy';
  return name === 'WWW-Authenticate' && status !== 401;
}

/** Returns the header, optional if a response with this status can lack it. */
function headerOf(name: HeaderName, status: number): HeaderObject | { $ref: string } {
  const header: HeaderObject = HEADERS[name];
  const may =
    header.required && (status >= 500 ? !ALWAYS_SAID.includes(name) : mayLack(name, status));
  return may ? { ...header, required: false } : { $ref: `#/components/headers/${name}` };
}
