/** The header fields of every answer. */
import { CONTENT_SIGNAL } from '../crawlers.ts';
import type { SchemaObject } from './openapi-schemas.ts';
import { CREDENTIALS, type Route, isCounted, isShared } from '../route.ts';

/** A header field, as the document describes it. */
export interface HeaderObject {
  description: string;
  required: boolean;
  schema: SchemaObject;
  example?: string | number;
}
/** The fields of an answer by name, or where the document describes them. */
export type Headers = Record<string, HeaderObject | { $ref: string }>;

const TEXT: SchemaObject = { type: 'string' };
const COUNT: SchemaObject = { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 53 - 1 };

/** A field that holds a whole number. */
function count(description: string, example: number): HeaderObject {
  return { description, required: true, schema: COUNT, example };
}

/** What each field means; `required` where it is declared, unless said otherwise there. */
export const HEADERS = {
  'Access-Control-Allow-Origin': {
    description: 'Any page may read the answer.',
    required: true,
    schema: { type: 'string', enum: ['*'] },
  },
  'Access-Control-Expose-Headers': {
    description: 'The fields that such a page may read.',
    required: true,
    schema: TEXT,
    example: 'ETag, Link, RateLimit',
  },
  Accept: {
    description: 'The media types of a body that are accepted here.',
    required: true,
    schema: TEXT,
    example: 'application/json',
  },
  Allow: {
    description: 'The methods of this address.',
    required: true,
    schema: { type: 'string', pattern: '^[A-Z]+(, [A-Z]+)*$' },
    example: 'GET, HEAD, OPTIONS',
  },
  'Cache-Control': {
    description: 'How long the answer may be kept; only by who asked, if an API key was sent.',
    required: true,
    schema: { type: 'string', pattern: '^(no-store|(private|public), max-age=\\d+.*)$' },
    example: 'public, max-age=60',
  },
  'Content-Disposition': {
    description: 'The name of the file, where the answer is one.',
    required: false,
    schema: TEXT,
    example: 'attachment; filename="leaderboard.csv"',
  },
  'Content-Signal': {
    description: 'What may be done with the answer: find it, cite it to a person, not train on it.',
    required: true,
    schema: { type: 'string', enum: [CONTENT_SIGNAL] },
  },
  Deprecation: {
    description: 'Since when the operation is deprecated (RFC 9745).',
    required: true,
    schema: { type: 'string', pattern: '^@-?\\d+$' },
    example: '@1793491200',
  },
  ETag: {
    description:
      'Send it as If-None-Match to get 304 while the content is the same. A weak tag, `W/"…"`, leaves out `generated_at`, `next_refresh_at` and `as_of`: after a 304 the copy keeps the values that it was sent with.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
    example: '"6f1f9b1dd0a3d92e"',
  },
  Link: {
    description: 'The next page as `rel="next"`, and where a deprecation is explained.',
    required: false,
    schema: { type: 'string', pattern: '^<[^>]*>; rel=' },
    example: '</api/v1/submissions?cursor=abc>; rel="next"',
  },
  Location: {
    description: 'What was made, or where what was asked for stands now.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: '/api/v1/submissions/01a1f8d8-1000-7b3e-9f55-0e3b7a1c4f10',
  },
  RateLimit: {
    description: 'Requests left in the running window, and the seconds until it ends.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+";r=\\d+(;t=\\d+)?(, ?"[^"]+";r=\\d+(;t=\\d+)?)*$' },
    example: '"public";r=59;t=42',
  },
  'RateLimit-Limit': count('Requests that a window allows.', 60),
  'RateLimit-Policy': {
    description: 'The policies that the request was counted by.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+";q=\\d+;w=\\d+' },
    example: '"public";q=60;w=60',
  },
  'RateLimit-Remaining': count('Requests left in the running window.', 59),
  'RateLimit-Reset': count('Seconds until the window ends.', 42),
  'Retry-After': count('Seconds to wait before the next try.', 42),
  'Set-Cookie': {
    description: 'The session, renewed.',
    required: false,
    schema: TEXT,
  },
  Sunset: {
    description: 'When the operation ends (RFC 8594).',
    required: true,
    schema: { type: 'string', pattern: ' GMT$' },
    example: 'Sun, 31 Jan 2027 00:00:00 GMT',
  },
  Vary: {
    description: 'The request fields that the answer depends on.',
    required: true,
    schema: TEXT,
    example: 'Accept-Encoding',
  },
  'WWW-Authenticate': {
    description: 'The credential that is wanted.',
    required: true,
    schema: TEXT,
    example:
      'Bearer realm="opbench", error="invalid_token", error_description="The token is no JWT", scope="openid", resource_metadata="https://bench.example.org/.well-known/oauth-protected-resource"',
  },
  'X-Request-Id': {
    description: 'The request, as the server log names it; absent where bytes were ready before.',
    required: false,
    schema: { type: 'string', format: 'uuid' },
    example: '0b8fd1c5-8f0e-4b51-a9a3-6c0f6a2f4d11',
  },
} as const satisfies Record<string, HeaderObject>;
/** A field that answers may have. */
type HeaderName = keyof typeof HEADERS;

/** The fields that an answer with this status may have, sorted by name. */
export function headersOf(route: Route, status: number): Headers {
  const names: HeaderName[] = ['Cache-Control', 'X-Request-Id'];
  if (!BEFORE_ROUTING.includes(status)) names.push(...afterRouting(route, status));
  const sorted = [...new Set(names)].sort();
  return Object.fromEntries(sorted.map((name) => [name, headerOf(name, status)]));
}

/** What is refused while it is still arriving, before its address is known. */
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

function ofRefusal({ auth }: Route, status: number): HeaderName[] {
  switch (status) {
    case 400:
    case 403:
      return CREDENTIALS[auth].includes('bearer') ? ['WWW-Authenticate'] : [];
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

/** What a server that is starting or failing says too. */
const ALWAYS_SAID: readonly HeaderName[] = ['Cache-Control', 'Retry-After'];

/** Not every such refusal is of a token, or of a window that is used up. */
function mayLack(name: HeaderName, status: number): boolean {
  if (status === 429) return name === 'RateLimit' || name === 'RateLimit-Policy';
  return name === 'WWW-Authenticate' && status !== 401;
}

/** A server that is starting or failing says what it can. */
function headerOf(name: HeaderName, status: number): HeaderObject | { $ref: string } {
  const header: HeaderObject = HEADERS[name];
  const may =
    header.required && (status >= 500 ? !ALWAYS_SAID.includes(name) : mayLack(name, status));
  return may ? { ...header, required: false } : { $ref: `#/components/headers/${name}` };
}
