/** One operation of the HTTP API, told once: binding, validation, errors and documents read it. */
import * as z from 'zod';
import type { ErrorCode } from '../domain/text/errors.ts';
import { BODY_LIMIT_BYTES, type LimitName } from './limits.ts';
import operations from './operations.json' with { type: 'json' };
import type { LlmsEntry, SiteRoute } from './route-table.ts';

/**
 * Who may call: anyone; whoever holds what the body itself proves (an enrolment code, a signature); a
 * signed-in person by the cookie only, or also through an application (`account`); a device by its token
 * too; or whom the admin gave a key.
 */
export type Auth =
  | 'account'
  | 'body'
  | 'body_or_account'
  | 'device_or_session'
  | 'key'
  | 'operator'
  | 'public'
  | 'session';

/** What a caller shows: an access token, a device token, an API key, or the session cookie. */
export type Credential = 'bearer' | 'device' | 'key' | 'session';

/** The credentials that name a caller, any of which is enough. */
export const CREDENTIALS: Readonly<Record<Auth, readonly Credential[]>> = {
  account: ['session', 'bearer'],
  body: [],
  body_or_account: ['session', 'bearer'],
  device_or_session: ['session', 'device'],
  key: ['key'],
  operator: ['session', 'bearer', 'device'],
  public: [],
  session: ['session'],
};

/** What an operation is about; the documents group by it. */
export const TAGS = {
  board: 'The published board: who stands where.',
  operators: 'What the board knows of one operator.',
  log: 'What the board is computed from, to be checked by anyone.',
  devices: 'Devices that sign for an operator.',
  account: 'The caller.',
  applications: 'How applications sign in for an operator.',
  service: 'The interface itself.',
} as const;

/** A retirement that was announced, at least 90 days before it. */
export interface Deprecation {
  /** From this UTC day on the operation is deprecated, `YYYY-MM-DD`. */
  since: string;
  /** The last UTC day on which it answers, 90 days or more after `since`. */
  sunset: string;
  /** The path of what replaces it. */
  successor: `/${string}`;
}

/** How a list is written as CSV: one row an element, the element's schema gives the columns. */
interface Table<Reply extends z.ZodType> {
  row: z.ZodObject;
  rows: (reply: z.output<Reply>) => readonly object[];
}

/** All that is known of one operation: method and path, who may call, what goes in and out. */
export interface Route<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Caller extends Auth = Auth,
  Params extends z.ZodType = z.ZodType,
> {
  /** A name for generated clients, unique. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  /** Path with parameters in braces, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** What the summary leaves open. */
  readonly description?: string;
  readonly auth: Caller;
  /** The policy that requests are counted by. */
  readonly limit: LimitName;
  /** How long a cache may keep the reply, in seconds; 0 forbids to store it. */
  readonly cacheSeconds: number;
  /** The path's parameters; what does not fit names nothing and is `not_found`. */
  readonly params: Params;
  readonly query: Query;
  /** The fields of the request's head that it reads; absent if there are none. */
  readonly headers?: z.ZodObject;
  readonly body: Body;
  /** What a body holds, by media type, where `body` alone does not say it. */
  readonly contents?: Readonly<Record<string, z.ZodType>>;
  /** The largest body accepted, in bytes after decompression. */
  readonly bodyLimitBytes: number;
  /** Media types accepted in a body; empty if there is none. */
  readonly accepts: readonly string[];
  readonly reply: Reply;
  /** The reply's media type, if it is not plain JSON. */
  readonly replyType?: string;
  /** Whether the reply is sent while it is made; its handler then answers pieces of text. */
  readonly streamed?: true;
  /** What a browser calls the reply when it saves it; absent if it shows it. */
  readonly fileName?: string;
  /** The statuses of success, the usual one first. */
  readonly statuses: readonly (200 | 201)[];
  /** Whether a success names what was made in the Location header. */
  readonly location?: true;
  /** Lists can also be had as CSV, by `format=csv`. */
  readonly table?: Table<Reply>;
  /** The refusals of its own; what comes with every route of its kind is added by `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  readonly deprecation?: Deprecation;
  /** As in the table of all routes. */
  readonly prepared?: SiteRoute['prepared'];
  readonly llms?: LlmsEntry;
}

/** The body of a route that takes none. */
const NoBody = z.undefined();
/** The query of a route that takes none. */
export const NoQuery = z.strictObject({});
/** The parameters of a path that has none. */
export const NoParams = z.strictObject({});

/** What a small JSON body may be. */
const JSON_BODY = { bodyLimitBytes: BODY_LIMIT_BYTES, accepts: ['application/json'] } as const;

/** What a route is that says nothing else: without parameters and body, never kept, done with 200. */
const DEFAULTS = {
  limit: 'pages',
  cacheSeconds: 0,
  params: NoParams,
  query: NoQuery,
  body: NoBody,
  bodyLimitBytes: 0,
  accepts: [],
  statuses: [200],
  errors: [],
} as const;

/** The route of an operation: `operations.json` says what it is, and the schemas given here type its endpoint. */
export function defineRoute<
  Reply extends z.ZodType,
  const Caller extends Auth,
  Query extends z.ZodType = typeof NoQuery,
  Body extends z.ZodType = typeof NoBody,
  Params extends z.ZodType = typeof NoParams,
>(
  id: keyof typeof operations,
  route: Partial<Route<Query, Body, Reply, Caller, Params>> & { auth: Caller; reply: Reply },
): Route<Query, Body, Reply, Caller, Params> {
  const told = { ...DEFAULTS, ...(route.body && JSON_BODY), ...operations[id], ...route, id };
  return told as unknown as Route<Query, Body, Reply, Caller, Params>;
}

/** Whether every client may share and keep the answer. */
export function isShared({ auth, cacheSeconds }: Route): boolean {
  return auth === 'public' && cacheSeconds > 0;
}

/** Whether the operation's address names an operator, whose former names lead to it too. */
export function isNamed({ method, path, query }: Route): boolean {
  const { shape = {} } = query as Partial<z.ZodObject>;
  return path.includes('{codename}') || (method === 'GET' && 'codename' in shape);
}

/** Whether the answer says what is left of the reader's limit. */
export function isCounted({ limit }: Route): boolean {
  return limit === 'public' || limit === 'key';
}

/** Every refusal that an operation may answer with: its own and those of its kind, sorted. */
export function errorsOf(route: Route): ErrorCode[] {
  const { auth, method, limit, params } = route;
  const fields = (schema: z.ZodType) => Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  const codes = new Set<ErrorCode>([...route.errors, ...ALWAYS]);
  if (fields(params).length > 0) codes.add('not_found');
  if (limit === 'public') codes.add('api_key_invalid');
  if (route.deprecation) codes.add('gone');
  if (route.accepts.length > 0) WITH_BODY.forEach((code) => codes.add(code));
  const credentials = CREDENTIALS[auth];
  credentials.forEach((credential) => BY_CREDENTIAL[credential].forEach((code) => codes.add(code)));
  if (method !== 'GET' && credentials.includes('session')) codes.add('csrf_rejected');
  if (route.id !== ANY_TOKEN && credentials.includes('session')) codes.add('credential_unsuitable');
  return [...codes].sort();
}

/** The operation at which every token serves that holds: that of the companion site on another host, too. */
const ANY_TOKEN = 'getPeers';

const ALWAYS: readonly ErrorCode[] = [
  'headers_too_large',
  'internal_error',
  'method_not_allowed',
  'payload_too_large',
  'query_invalid',
  'quota_exceeded',
  'request_timeout',
  'service_unavailable',
];
const WITH_BODY: readonly ErrorCode[] = [
  'json_key_duplicate',
  'malformed_json',
  'unsupported_media_type',
  'validation_failed',
];
const BY_CREDENTIAL: Readonly<Record<Credential, readonly ErrorCode[]>> = {
  bearer: ['insufficient_scope', 'request_malformed', 'token_invalid', 'unauthenticated'],
  device: ['key_revoked', 'key_unknown', 'request_malformed', 'token_invalid', 'unauthenticated'],
  key: ['api_key_invalid'],
  session: ['unauthenticated'],
};
