/** The answers of every operation: what it gives, and each refusal by its status. */
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { type Headers, headersOf } from './openapi-headers.ts';
import { type SchemaObject, type Schemas, schemaObject } from './openapi-schemas.ts';
import type { Example } from '../examples/example.ts';
import { PROBLEM_MEDIA_TYPE } from '../problem.ts';
import { PROBLEMS } from '../problems.ts';
import { type Route, errorsOf, isNamed, isShared } from '../route.ts';
import { groupBy } from '#core/domain/text/group.ts';

/** A body in one media type. */
export interface MediaType {
  schema: SchemaObject;
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

/** An answer with one status. */
export interface ResponseObject {
  description: string;
  headers: Headers;
  content?: Record<string, MediaType>;
}

/** The codes of an operation's refusals by status, both sorted. */
export function codesByStatus(route: Route): Map<number, ErrorCode[]> {
  const byStatus = groupBy(errorsOf(route), (code) => PROBLEMS[code].status as number);
  return new Map([...byStatus].sort(([a], [b]) => a - b));
}

/** All answers of an operation by status. */
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
    const description = 'Nothing has changed since the ETag that was sent.';
    responses[304] = { description, headers: headersOf(route, 304) };
  }
  if (isNamed(route)) {
    const description = 'The operator has another codename now: ask again there.';
    responses[307] = { description, headers: headersOf(route, 307) };
  }
  for (const [status, codes] of codesByStatus(route)) {
    responses[status] = refusalOf(route, status, codes);
  }
  return responses;
}

const SUCCESS = { 200: 'Done.', 201: 'Made.' } as const;

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
