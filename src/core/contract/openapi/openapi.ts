/**
 * Creates the OpenAPI document of the API from the routes.
 *
 * @see {@link https://spec.openapis.org/oas/v3.0.3 | OpenAPI 3.0.3}
 * @module
 */
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { LIMITS, PAGE_LIMIT } from '../limits.ts';
import { HEADERS, type HeaderObject } from './openapi-headers.ts';
import {
  type OperationObject,
  type ParameterObject,
  type ResponseObject,
  operationOf,
} from './openapi-operations.ts';
import { type SchemaObject, type Schemas, copiedName, schemaObject } from './openapi-schemas.ts';
import { Problem } from '../problem.ts';
import { PROBLEMS } from '../problems.ts';
import { type Route, TAGS } from '../route.ts';
import { type WebhookObject, webhookObjects } from './openapi-webhooks.ts';

/** The document, limited to the parts of OpenAPI 3.0 in use. */
export interface OpenApiDocument {
  openapi: '3.0.3';
  info: Record<string, unknown>;
  servers: { url: string; description: string; 'x-internal': boolean }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  /** What OpenAPI 3.1 calls `webhooks`. */
  'x-webhooks': Record<string, { post: WebhookObject }>;
  components: {
    schemas: Schemas;
    responses: Record<string, ResponseObject>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
    examples: Record<string, { summary: string; value: unknown }>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}

/** The board that the document describes. */
interface DocumentOptions {
  /** The base URL of the board. */
  baseUrl: string;
  /** The version of the software. */
  version: string;
  /** The name of the board. */
  title: string;
}

/** Returns the document for these routes. The same arguments give the same bytes. */
export function openApiDocument(
  routes: readonly Route[],
  options: DocumentOptions,
): OpenApiDocument {
  const named: Schemas = {};
  schemaObject(Problem, named);
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const operation = operationOf(route, named);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation };
  }
  const responses = sharedResponses(Object.values(paths).flatMap((path) => Object.values(path)));
  const webhooks = webhookObjects(named);
  const text = JSON.stringify({ paths, responses, webhooks });
  return {
    openapi: '3.0.3',
    info: infoOf(options),
    servers: [{ url: options.baseUrl, description: SERVER, 'x-internal': false }],
    tags: tagsOf(routes),
    paths,
    'x-webhooks': webhooks,
    components: {
      schemas: schemasIn(text, named),
      responses,
      parameters: { 'If-None-Match': IF_NONE_MATCH },
      headers: usedIn(text, 'headers', HEADERS),
      examples: usedIn(text, 'examples', problemExamples(options.baseUrl)),
      securitySchemes: securitySchemes(options.baseUrl),
    },
  };
}

const SERVER = 'This board, in production. There is no sandbox: writes count on the real board.';

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of your copy. Returns 304 while the content is unchanged.',
  required: false,
  schema: { type: 'string', maxLength: 1000 },
  example: '"6f1f9b1dd0a3d92e"',
};

const DESCRIPTION = `Rankings of this board by every metric, and all data that they are computed from.

Data is JSON with names in snake_case. HEAD responds like GET, without the body. OPTIONS responds with 204 and the methods of a URL.
A request with an unknown query parameter or value returns 400 and lists the allowed ones.
Lists have up to ${PAGE_LIMIT.max} entries per page (${PAGE_LIMIT.keyed} with an API key, and for the caller's own counts). Pass \`next_cursor\` as \`cursor\` to get the next page.
Public reads are limited to ${LIMITS.public.quota} requests per ${LIMITS.public.windowSeconds} seconds and address, unless the admin set another number. Every response says how many are left.
Errors are \`application/problem+json\` (RFC 9457). The meaning of a \`code\` never changes.
Malformed requests return 400, 408, 431, 501 or 505 before they reach an operation.`;

function infoOf({ title, version, baseUrl }: DocumentOptions): Record<string, unknown> {
  return {
    title: `${title} API`,
    version,
    description: DESCRIPTION,
    contact: { name: title, url: `${baseUrl}/developers` },
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  };
}

function tagsOf(routes: readonly Route[]): OpenApiDocument['tags'] {
  const used = new Set<string>(routes.map(({ tag }) => tag));
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  return tags.filter(({ name }) => used.has(name));
}

/** Returns an example problem for every code. */
function problemExamples(baseUrl: string): OpenApiDocument['components']['examples'] {
  const codes = Object.keys(PROBLEMS) as ErrorCode[];
  const examples = codes.map((code) => {
    const { status, title, hint } = PROBLEMS[code];
    const value: Problem = {
      type: `${baseUrl}/problems/${code}`,
      title,
      status,
      detail: title,
      code,
      ...(hint !== null && { hint }),
      instance: 'urn:uuid:0b8fd1c5-8f0e-4b51-a9a3-6c0f6a2f4d11',
      ...OCCURRENCES[code],
    };
    return [code, { summary: title, value }];
  });
  return Object.fromEntries(examples) as OpenApiDocument['components']['examples'];
}

/** Examples with details beyond the title. */
const OCCURRENCES: Partial<Record<ErrorCode, Pick<Problem, 'detail' | 'errors'>>> = {
  query_invalid: occurrence('limit', 'invalid_format', 'must be a whole number'),
  quota_exceeded: { detail: 'More than 60 requests in 60 seconds. Try again in 42 seconds.' },
  validation_failed: occurrence('label', 'invalid_type', 'must be text'),
};

function occurrence(
  place: string,
  code: string,
  detail: string,
): Pick<Problem, 'detail' | 'errors'> {
  const pointer = `#/${place}`;
  return { detail: `${place}: ${detail}`, errors: [{ pointer, code, detail }] };
}

function securitySchemes(baseUrl: string): Record<string, Record<string, string>> {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: baseUrl.startsWith('https:') ? '__Host-session' : 'session',
      description: 'A signed-in browser.',
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'An access token for this board with the scope openid, issued by the authorization server that /.well-known/oauth-protected-resource names. It is a JWT according to RFC9068, validated according to RFC8725.',
    },
    device: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'A device token: a JWT (RFC8725) that an enrolled device signs with its Ed25519 key for one request. It is valid for at most 60 seconds.',
    },
    key: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'An API key from the admin. It has its own rate limit and allows longer pages.',
    },
  };
}

/** Returns the names of the components of a kind that the text refers to. */
function namesIn(text: string, kind: string): Set<string> {
  const references = text.matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'));
  return new Set(Array.from(references, ([, name = '']) => name));
}

/** Returns the components of a kind that the text refers to. */
function usedIn<Component>(
  text: string,
  kind: string,
  components: Record<string, Component>,
): Record<string, Component> {
  const names = namesIn(text, kind);
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}

/**
 * Returns the schemas that the text needs, directly or indirectly, sorted by name. Also keeps the original of each
 * nullable copy, because clients know it by name.
 */
function schemasIn(text: string, named: Schemas): Schemas {
  const needed = namesIn(text, 'schemas');
  // The loop also visits names added during the iteration.
  for (const name of needed) {
    const original = copiedName(name, named);
    if (original !== null) needed.add(original);
    for (const other of namesIn(JSON.stringify(named[name]), 'schemas')) needed.add(other);
  }
  return Object.fromEntries([...needed].sort().map((name) => [name, named[name] as SchemaObject]));
}

/**
 * Replaces responses that several operations have in common with references.
 *
 * @returns The shared responses by name.
 */
function sharedResponses(operations: readonly OperationObject[]): Record<string, ResponseObject> {
  const answers = operations.flatMap(({ responses }) =>
    Object.entries(responses).map(([status, response]) => {
      return { responses, status, text: JSON.stringify(response) };
    }),
  );
  const names = new Map<string, string>();
  for (const [text, [first, ...others]] of groupBy(answers, (answer) => answer.text)) {
    if (first && others.length > 0) names.set(text, nameFor(first.status, names));
  }
  for (const { responses, status, text } of answers) {
    const name = names.get(text);
    if (name !== undefined) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  const shared = [...names].map(([text, name]) => [name, JSON.parse(text) as ResponseObject]);
  return Object.fromEntries(shared.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

const PHRASES: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  304: 'NotModified',
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'ServerError',
  503: 'ServiceUnavailable',
};

/** Returns `NotFound`, `NotFound2` and so on, in the order in which the operations need them. */
function nameFor(status: string, names: ReadonlyMap<string, string>): string {
  const phrase = PHRASES[status] ?? `Status${status}`;
  const alike = [...names.values()].filter((name) => name.replace(/\d+$/, '') === phrase).length;
  return alike === 0 ? phrase : `${phrase}${alike + 1}`;
}
