/**
 * The whole interface as an OpenAPI document, made of the routes alone.
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

/** The document, as far as the contract uses OpenAPI 3.0. */
export interface OpenApiDocument {
  openapi: '3.0.3';
  info: Record<string, unknown>;
  servers: { url: string; description: string; 'x-internal': boolean }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Schemas;
    responses: Record<string, ResponseObject>;
    parameters: Record<string, ParameterObject>;
    headers: Record<string, HeaderObject>;
    examples: Record<string, { summary: string; value: unknown }>;
    securitySchemes: Record<string, Record<string, string>>;
  };
}

/** The board that the document is for. */
interface DocumentOptions {
  /** Where the board is served. */
  baseUrl: string;
  /** The version of the software. */
  version: string;
  /** The board's name. */
  title: string;
}

/** The document of these routes: the same bytes for the same arguments. */
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
  const text = JSON.stringify({ paths, responses });
  return {
    openapi: '3.0.3',
    info: infoOf(options),
    servers: [{ url: options.baseUrl, description: SERVER, 'x-internal': false }],
    tags: tagsOf(routes),
    paths,
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

const SERVER = 'This board, in production. There is no sandbox: what is written here counts.';

const IF_NONE_MATCH: ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of what is there already; answered 304 while nothing has changed.',
  required: false,
  schema: { type: 'string', maxLength: 1000 },
  example: '"6f1f9b1dd0a3d92e"',
};

const DESCRIPTION = `Who stands where on this board, by which metric, and everything it is computed from.

Data is JSON in snake_case. HEAD answers what GET would, without the body. OPTIONS answers 204 with the methods of an address.
Query parameters are closed: an unknown name or value is answered 400 and told what may stand there.
Lists have at most ${PAGE_LIMIT.max} entries a page (${PAGE_LIMIT.keyed} with an API key, and of the caller's own counts) and go on at \`next_cursor\`.
Public reads are limited to ${LIMITS.public.quota} requests in ${LIMITS.public.windowSeconds} seconds from one address, unless the keeper set another number; every answer says what is left.
Every refusal is \`application/problem+json\` (RFC 9457) with a \`code\` that never changes its meaning.
What is not a well-formed request at all is answered 400, 408, 431, 501 or 505 before it reaches any operation.`;

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

/** A problem of every code, as a client would see it. */
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

/** Where an occurrence tells more than its title does. */
const OCCURRENCES: Partial<Record<ErrorCode, Pick<Problem, 'detail' | 'errors'>>> = {
  query_invalid: occurrence('limit', 'invalid_format', 'must be a whole number'),
  quota_exceeded: { detail: 'More than 60 requests in 60 seconds; wait 42 seconds' },
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
        'An access token (a JWT after RFC9068, checked as RFC8725 asks) of the authorization server that /.well-known/oauth-protected-resource names, for this board, with the scope openid.',
    },
    device: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'A device token: a JWT (RFC8725) that an enrolled device signs with its Ed25519 key for one request, good for at most 60 seconds.',
    },
    key: {
      type: 'apiKey',
      in: 'header',
      name: 'x-api-key',
      description: 'A key that the keeper issued: a limit of its own, and longer pages.',
    },
  };
}

/** The names of the components of a kind that the text refers to. */
function namesIn(text: string, kind: string): Set<string> {
  const references = text.matchAll(new RegExp(`"#/components/${kind}/([^"]+)"`, 'g'));
  return new Set(Array.from(references, ([, name = '']) => name));
}

/** The components of a kind that the text refers to. */
function usedIn<Component>(
  text: string,
  kind: string,
  components: Record<string, Component>,
): Record<string, Component> {
  const names = namesIn(text, kind);
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}

/**
 * The schemas that the text needs, and those that they need, sorted by name. One that is needed only as a
 * copy that may be null stays too: clients know it by its name.
 */
function schemasIn(text: string, named: Schemas): Schemas {
  const needed = namesIn(text, 'schemas');
  // It also comes to the names that are added meanwhile.
  for (const name of needed) {
    const original = copiedName(name, named);
    if (original !== null) needed.add(original);
    for (const other of namesIn(JSON.stringify(named[name]), 'schemas')) needed.add(other);
  }
  return Object.fromEntries([...needed].sort().map((name) => [name, named[name] as SchemaObject]));
}

/**
 * Takes what several operations answer alike out of them, and leaves references.
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

/** `NotFound`, `NotFound2` and so on, in the order in which the operations need them. */
function nameFor(status: string, names: ReadonlyMap<string, string>): string {
  const phrase = PHRASES[status] ?? `Status${status}`;
  const alike = [...names.values()].filter((name) => name.replace(/\d+$/, '') === phrase).length;
  return alike === 0 ? phrase : `${phrase}${alike + 1}`;
}
