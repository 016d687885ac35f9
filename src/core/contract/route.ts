/** Operations of the HTTP API, defined once for binding, validation, errors and documents. */
import * as z from 'zod';
import type { ErrorCode } from '../domain/text/errors.ts';
import { BODY_LIMIT_BYTES, type LimitName } from './limits.ts';
import operations from './operations.json' with { type: 'json' };
import type { LlmsEntry, SiteRoute } from './route-table.ts';

/**
 * The callers that an operation allows. `public`: anyone. `body`: anyone whose body proves itself with an enrollment
 * code or a signature. `session`: a signed-in person with the cookie. `account`: also a connected app. `operator`: also
 * a device. `device_or_session`: a device or a signed-in person. `key`: holders of an API key.
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

/** Kinds of credentials: access token, device token, API key, session cookie. */
export type Credential = 'bearer' | 'device' | 'key' | 'session';

/** The credentials that identify a caller. One of them is enough. */
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

/** The groups of operations, with the descriptions used in documents. */
export const TAGS = {
  board: 'The published board: rankings, records and challenges.',
  operators: 'One operator: ranks, history, records, keys and peers.',
  log: 'Submissions and the public log, from which anyone can recompute the board.',
  devices: 'Devices that sign for an operator.',
  account: "The caller's ranks, profile, data and sessions.",
  applications: 'OAuth and OpenID Connect metadata for apps that act for an operator.',
  service: 'The API description and the MCP server manifests.',
} as const;

/** A retirement announced at least 90 days in advance. */
export interface Deprecation {
  /** The first UTC day of the deprecation, `YYYY-MM-DD`. */
  since: string;
  /** The last UTC day on which the operation works, 90 days or more after `since`. */
  sunset: string;
  /** The path of the replacement. */
  successor: `/${string}`;
}

/** How a list becomes CSV: one row per entry; the schema of an entry defines the columns. */
interface Table<Reply extends z.ZodType> {
  row: z.ZodObject;
  rows: (reply: z.output<Reply>) => readonly object[];
}

/** One operation. */
export interface Route<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Caller extends Auth = Auth,
  Params extends z.ZodType = z.ZodType,
> {
  /** The unique operationId. */
  readonly id: string;
  readonly tag: keyof typeof TAGS;
  readonly method: 'DELETE' | 'GET' | 'PATCH' | 'POST';
  /** Path with parameters in braces, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** Details in Markdown: paragraphs and inline code only. */
  readonly description?: string;
  readonly auth: Caller;
  /** The rate limit that requests count against. */
  readonly limit: LimitName;
  /** How long caches can store the response, in seconds; 0 means not at all. */
  readonly cacheSeconds: number;
  /** The path parameters. Values that do not match are `not_found`. */
  readonly params: Params;
  readonly query: Query;
  /** The request headers that it reads; absent if there are none. */
  readonly headers?: z.ZodObject;
  readonly body: Body;
  /** The schema of the body by media type, where it differs from `body`. */
  readonly contents?: Readonly<Record<string, z.ZodType>>;
  /** The largest body accepted, in bytes after decompression. */
  readonly bodyLimitBytes: number;
  /** Media types accepted in a body; empty if there is none. */
  readonly accepts: readonly string[];
  readonly reply: Reply;
  /** The media type of the response, if it is not plain JSON. */
  readonly replyType?: string;
  /** Whether the response is streamed; the handler then returns chunks of text. */
  readonly streamed?: true;
  /** The file name for downloads in a browser; absent if the browser shows the response. */
  readonly fileName?: string;
  /** The statuses of success, the usual one first. */
  readonly statuses: readonly (200 | 201)[];
  /** Whether a success has a Location header. */
  readonly location?: true;
  /** Set for lists that are also available as CSV. */
  readonly table?: Table<Reply>;
  /** Its specific errors. `errorsOf` adds those that all operations of its kind have. */
  readonly errors: readonly ErrorCode[];
  readonly deprecation?: Deprecation;
  /** As in `SiteRoute`. */
  readonly prepared?: SiteRoute['prepared'];
  /** As in `SiteRoute`. */
  readonly readers?: SiteRoute['readers'];
  /** As in `SiteRoute`, for operations that do not check their caller. */
  readonly open?: true;
  readonly llms?: LlmsEntry;
}

/** The body of a route without one. */
const NoBody = z.undefined();
/** The query of a route without parameters. */
export const NoQuery = z.strictObject({});
/** The parameters of a path without any. */
export const NoParams = z.strictObject({});

/** The defaults of a JSON body. */
const JSON_BODY = { bodyLimitBytes: BODY_LIMIT_BYTES, accepts: ['application/json'] } as const;

/** Default values: no parameters, no body, not cached, status 200. */
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

/** Combines the entry of `operations.json` with the schemas, which type the endpoint. */
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

/** Whether shared caches can store the response. */
export function isShared({ auth, cacheSeconds }: Route): boolean {
  return auth === 'public' && cacheSeconds > 0;
}

/** Whether the address names an operator, so that earlier codenames redirect. */
export function isNamed({ method, path, query }: Route): boolean {
  const { shape = {} } = query as Partial<z.ZodObject>;
  return path.includes('{codename}') || (method === 'GET' && 'codename' in shape);
}

/** Whether responses show the rest of the caller's rate limit. */
export function isCounted({ limit }: Route): boolean {
  return limit === 'public' || limit === 'key';
}

/** All error codes that an operation can return, sorted. */
export function errorsOf(route: Route): ErrorCode[] {
  const { method, limit, params } = route;
  const fields = (schema: z.ZodType) => Object.keys((schema as Partial<z.ZodObject>).shape ?? {});
  const codes = new Set<ErrorCode>([...route.errors, ...ALWAYS]);
  if (fields(params).length > 0) codes.add('not_found');
  if (limit === 'public') codes.add('api_key_invalid');
  if (route.deprecation) codes.add('gone');
  if (route.accepts.length > 0) WITH_BODY.forEach((code) => codes.add(code));
  const credentials = credentialsOf(route);
  credentials.forEach((credential) => BY_CREDENTIAL[credential].forEach((code) => codes.add(code)));
  if (method !== 'GET' && credentials.includes('session')) codes.add('csrf_rejected');
  if (route.id !== ANY_TOKEN && credentials.includes('session')) codes.add('credential_unsuitable');
  return [...codes].sort();
}

/** On a board for members, public operations accept every credential. */
function credentialsOf({ auth, open }: Route): readonly Credential[] {
  return auth === 'public' && !open ? READ_CREDENTIALS : CREDENTIALS[auth];
}

const READ_CREDENTIALS = ['bearer', 'device', 'key', 'session'] as const;

/** The only operation that also accepts the token of a companion site on another host. */
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
