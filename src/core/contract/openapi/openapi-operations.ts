/** One operation of the document: parameters, body, responses, credentials. */
import * as z from 'zod';
import callers from './callers.json' with { type: 'json' };
import { EXAMPLES, type Example, PARAMETER_EXAMPLES } from '../examples/examples.ts';
import { type SchemaObject, type Schemas, inlined, schemaObject } from './openapi-schemas.ts';
import {
  CREDENTIALS,
  type Deprecation,
  NoQuery,
  type Route,
  errorsOf,
  isCounted,
  isNamed,
  isShared,
} from '../route.ts';
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { type Headers, headersOf } from './openapi-headers.ts';
import { PROBLEM_MEDIA_TYPE } from '../problem.ts';
import { PROBLEMS } from '../problems.ts';
import { groupBy } from '#core/domain/text/group.ts';

/** A parameter as described in the document. */
export interface ParameterObject {
  name: string;
  in: 'header' | 'path' | 'query';
  description?: string;
  required: boolean;
  schema: SchemaObject;
  example?: unknown;
}

/** An operation as described in the document. */
export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  deprecated?: boolean;
  security: Record<string, never[]>[];
  parameters: (ParameterObject | { $ref: string })[];
  requestBody?: { description: string; required: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject | { $ref: string }>;
}

/**
 * Returns the operation object of a route.
 *
 * @param named Receives the named schemas that it needs.
 */
export function operationOf(route: Route, named: Schemas): OperationObject {
  const example = EXAMPLES[route.id];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: descriptionOf(route),
    ...(route.deprecation && { deprecated: true }),
    security: securityOf(route),
    parameters: [
      ...parametersOf(route, example, named),
      ...(isShared(route) ? [{ $ref: '#/components/parameters/If-None-Match' }] : []),
    ],
    ...(route.accepts.length > 0 && { requestBody: bodyOf(route, example, named) }),
    responses: responsesOf(route, example, named),
  };
}

/** Returns the parameters in path, query and headers, with their parsed types. */
export function parametersOf(
  route: Route,
  example: Example | undefined,
  named: Schemas,
): ParameterObject[] {
  const places = [
    ['path', route.params, example?.params],
    ['query', route.query, example?.query],
    ['header', route.headers ?? NoQuery, undefined],
  ] as const;
  return places.flatMap(([place, schema, values]) => {
    const { properties = {} } = schemaObject(schema, named);
    const { required = [] } = schemaObject(schema, {}, 'input');
    return Object.entries(properties).map(([name, property]) => {
      const { description, ...type } = inlined(property, named);
      const value = values?.[name] ?? PARAMETER_EXAMPLES[name];
      return {
        name,
        in: place,
        ...(description !== undefined && { description }),
        required: required.includes(name),
        schema: type,
        ...(value !== undefined && { example: type.type === 'integer' ? Number(value) : value }),
      };
    });
  });
}

/** Returns the schema of a body with this media type. */
export function bodySchemaOf(route: Route, mediaType: string): z.ZodType {
  return route.contents?.[mediaType] ?? route.body;
}

function bodyOf(route: Route, example: Example | undefined, named: Schemas) {
  const content = route.accepts.map((mediaType) => [
    mediaType,
    {
      schema: schemaObject(bodySchemaOf(route, mediaType), named, 'input'),
      ...(example && { example: example.bodies[mediaType] ?? example.body }),
    },
  ]);
  return {
    description: `At most ${route.bodyLimitBytes} bytes. Can be compressed with gzip; the limit then applies after decompression.`,
    required: true,
    content: Object.fromEntries(content) as Record<string, MediaType>,
  };
}

function descriptionOf(route: Route): string {
  const { description, deprecation } = route;
  const facts = `${CALLERS[route.auth].told} ${keepingOf(route)} Rate limit: \`${route.limit}\`.`;
  const retired = deprecation ? retirementOf(deprecation) : [];
  return [description ?? [], retired, facts].flat().join('\n\n');
}

/** Returns start, end and replacement of a deprecation, in two sentences. */
export function retirementOf({ since, sunset, successor }: Deprecation): string {
  return `Deprecated since ${since}. It works until ${sunset}. Use ${successor} instead.`;
}

/** The required credentials, in a sentence and as options of `curl`. */
export const CALLERS: Readonly<Record<Route['auth'], { told: string; curl: string }>> = callers;

/** Returns how long the response can be cached, in a sentence. */
export function keepingOf({ cacheSeconds }: Route): string {
  return cacheSeconds > 0 ? `Can be cached for ${cacheSeconds} seconds.` : 'Not cached.';
}

/** Returns the alternative sets of credentials. The empty set means none. */
function securityOf(route: Route): Record<string, never[]>[] {
  const named = CREDENTIALS[route.auth].map((credential) => ({ [credential]: [] }));
  if (route.auth === 'body_or_account') return [{}, ...named];
  if (route.auth !== 'public') return named;
  if (isCounted(route)) return [{}, { key: [] }];
  return isShared(route) ? [] : [{}, { session: [] }];
}

/** A body in one media type. */
interface MediaType {
  schema: SchemaObject;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

/** A response with one status. */
export interface ResponseObject {
  description: string;
  headers: Headers;
  content?: Record<string, MediaType>;
}

/** Returns the error codes of an operation by status, both sorted. */
function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const byStatus = groupBy(errorsOf(route), (code) => PROBLEMS[code].status as number);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** Returns all responses of an operation by status. */
export function responsesOf(
  route: Route,
  example: Example | undefined,
  named: Schemas,
): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const status of route.statuses) {
    responses[status] = {
      description: SUCCESS[status],
      headers: headersOf(route, status),
      content: contentOf(route, example, named),
    };
  }
  if (isShared(route)) {
    const description = 'The content has not changed since the ETag in the request.';
    responses[304] = { description, headers: headersOf(route, 304) };
  }
  if (isNamed(route)) {
    const description = 'The operator has a new codename. Follow the Location header.';
    responses[307] = { description, headers: headersOf(route, 307) };
  }
  for (const [status, codes] of codesByStatus(route)) {
    responses[status] = refusalOf(route, status, codes);
  }
  return responses;
}

const SUCCESS = { 200: 'Success.', 201: 'Created.' } as const;

function contentOf(
  { reply, replyType = 'application/json', table }: Route,
  example: Example | undefined,
  named: Schemas,
): Record<string, MediaType> {
  return {
    [replyType]: {
      schema: schemaObject(reply, named),
      ...(example && { example: example.reply }),
    },
    ...(table && { 'text/csv': { schema: { type: 'string' } } }),
  };
}

function refusalOf(route: Route, status: number, codes: readonly ErrorCode[]): ResponseObject {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join('\n\n'),
    headers: headersOf(route, status),
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(examples) as Record<string, { $ref: string }>,
      },
    },
  };
}
