/** Requests generated from the OpenAPI document alone: valid ones, and ones with a single fault. */
import * as fc from 'fast-check';
import type { OpenApiDocument } from '#core/contract/openapi/openapi.ts';
import type {
  OperationObject,
  ParameterObject,
} from '#core/contract/openapi/openapi-operations.ts';
import { type SchemaObject, nameOf } from '#core/contract/openapi/openapi-schemas.ts';

/** A request with the arguments of `fetch`. */
export interface Asked {
  method: string;
  /** The path, with parameters filled in, and the query. */
  address: string;
  headers: Record<string, string>;
  body: string | null;
}

/** Names that exist on the board, used occasionally for parameters of that name. */
export type Known = Readonly<Record<string, readonly string[]>>;

/** A request that the document allows. */
export function anAllowedRequest(
  document: OpenApiDocument,
  path: string,
  method: string,
  known: Known,
): fc.Arbitrary<Asked> {
  const operation = document.paths[path]?.[method] as OperationObject;
  const named = document.components.schemas;
  const parameters = operation.parameters.filter((one): one is ParameterObject => 'name' in one);
  const values = parameters.map((parameter) => {
    const value = valueOf(parameter, named, known);
    return parameter.required ? value : fc.option(value, { freq: 2, nil: null });
  });
  const content = Object.entries(operation.requestBody?.content ?? {});
  const bodies = content.map(([mediaType, { schema }]) =>
    anyOf(schema, named).map((body) => ({ mediaType, body: JSON.stringify(body) })),
  );
  const body = bodies.length === 0 ? fc.constant(null) : fc.oneof(...bodies);
  return fc.tuple(fc.tuple(...values), body).map(([filled, sent]) => ({
    method: method.toUpperCase(),
    address: addressOf(path, parameters, filled),
    headers: { ...headersOf(parameters, filled), ...(sent && { 'Content-Type': sent.mediaType }) },
    body: sent?.body ?? null,
  }));
}

/** The same request with a fault, in each possible way. */
export function spoiltRequests(allowed: fc.Arbitrary<Asked>): fc.Arbitrary<Asked>[] {
  const junk = fc.string({ maxLength: 40, unit: 'grapheme' });
  return SPOILERS.map((spoil) =>
    fc.tuple(allowed, junk).map(([asked, text]) => spoil(asked, text)),
  );
}

type Spoil = (asked: Asked, junk: string) => Asked;

const SPOILERS: readonly Spoil[] = [
  ...['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].map(
    (method): Spoil => {
      return (asked) => ({ ...asked, method, body: bodyFor(method, asked.body) });
    },
  ),
  (asked, junk) => withQuery(asked, 'nobody_knows', junk),
  (asked, junk) => withQuery(asked, 'limit', junk),
  (asked) => withQuery(withQuery(asked, 'window', '7d'), 'window', '30d'),
  (asked, junk) => withQuery(asked, junk || 'x', ''),
  (asked) => withQuery(asked, 'q', 'x'.repeat(9_000)),
  (asked) => ({ ...asked, address: `${asked.address}${asked.address.includes('?') ? '&' : '?'}%` }),
  (asked, junk) => ({
    ...asked,
    address: `${asked.address.split('?')[0]}/${encodeURIComponent(junk)}`,
  }),
  (asked) => ({ ...asked, address: asked.address.replace(/[^/]+$/, '%2e%2e') }),
  (asked) => withHeader(asked, 'x-api-key', 'ob_1_nonsense'),
  (asked, junk) => withHeader(asked, 'Accept', `text/html, ${latin(junk)}`),
  (asked, junk) => withHeader(asked, 'If-None-Match', latin(junk)),
  (asked) => withHeader(asked, 'If-None-Match', '*'),
  (asked, junk) => withHeader(asked, 'Authorization', `Bearer ${latin(junk)}`),
  (asked, junk) => withHeader(asked, 'Cookie', `session=${latin(junk)}; session=`),
  (asked) => withHeader(asked, 'Origin', 'https://elsewhere.example'),
  (asked) => withHeader(asked, 'Range', 'bytes=0-1'),
  (asked) => withHeader(asked, 'X-Long', 'x'.repeat(20_000)),
  (asked) => withHeader(asked, 'Content-Type', 'text/plain'),
  (asked) => withHeader(asked, 'Content-Type', 'application/json; charset=utf-7'),
  (asked) => withHeader(asked, 'Content-Encoding', 'gzip'),
  (asked) => withHeader(asked, 'Content-Encoding', 'br, gzip'),
  (asked, junk) => withBody(asked, junk),
  (asked) => withBody(asked, ''),
  (asked) => withBody(asked, (asked.body ?? '{}').slice(0, -1)),
  (asked) => withBody(asked, (asked.body ?? '{}').replace('{', '{"a":1,"a":2,')),
  (asked) =>
    withBody(asked, (asked.body ?? '{}').replaceAll(/"[^"]*"(?=[,}\]])/g, '{"a":[1e999]}')),
  (asked) => withBody(asked, '['.repeat(20_000)),
  (asked) => withBody(asked, `{"code":"${'x'.repeat(100_000)}"}`),
  (asked) => withBody(asked, 'null'),
];

function withQuery(asked: Asked, name: string, value: string): Asked {
  const pair = new URLSearchParams({ [name]: value.toWellFormed() }).toString();
  return { ...asked, address: asked.address + (asked.address.includes('?') ? '&' : '?') + pair };
}

function withHeader(asked: Asked, name: string, value: string): Asked {
  return { ...asked, headers: { ...asked.headers, [name]: value } };
}

function withBody(asked: Asked, body: string): Asked {
  return { ...asked, body: bodyFor(asked.method, body) };
}

/** `fetch` sends no body with GET and HEAD. */
function bodyFor(method: string, body: string | null): string | null {
  return method === 'GET' || method === 'HEAD' ? null : body;
}

/** Text that is allowed in a header field. */
function latin(text: string): string {
  return text.replaceAll(/[^\x21-\x7e\xa1-\xff]/g, '~');
}

function addressOf(
  path: string,
  parameters: readonly ParameterObject[],
  values: readonly unknown[],
): string {
  const query = new URLSearchParams();
  let filled = path;
  parameters.forEach(({ name, in: place }, index) => {
    const value = values[index];
    if (value === null) return;
    if (place === 'query') query.append(name, String(value));
    else if (place === 'path')
      filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
  });
  const text = query.toString();
  return text ? `${filled}?${text}` : filled;
}

function headersOf(
  parameters: readonly ParameterObject[],
  values: readonly unknown[],
): Record<string, string> {
  const given = parameters.map(
    ({ name, in: place }, index) => [name, place, values[index]] as const,
  );
  const fields = given.filter(([, place, value]) => place === 'header' && value !== null);
  return Object.fromEntries(fields.map(([name, , value]) => [name, String(value)]));
}

function valueOf(
  { name, schema }: ParameterObject,
  named: Record<string, SchemaObject>,
  known: Known,
) {
  const any = anyOf(schema, named);
  const values = known[name] ?? [];
  return values.length === 0 ? any : fc.oneof(any, fc.constantFrom(...values));
}

/** Any value that a schema allows. */
function anyOf(schema: SchemaObject, named: Record<string, SchemaObject>): fc.Arbitrary<unknown> {
  const choices = choicesOf(schema);
  if (choices.length > 1) return fc.oneof(...choices.map((one) => anyOf(one, named)));
  const reference = nameOf(schema.allOf?.[0] ?? schema.anyOf?.[0] ?? schema);
  if (reference !== null) return anyOf(named[reference] as SchemaObject, named);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const value = plain(schema, named);
  return schema.nullable ? fc.option(value) : value;
}

/** The named schemas of which any alternative will do. */
function choicesOf({ anyOf: choices = [] }: SchemaObject): SchemaObject[] {
  return choices.filter((choice) => nameOf(choice) !== null);
}

function plain(schema: SchemaObject, named: Record<string, SchemaObject>): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'integer':
      return anyInteger(schema);
    case 'number':
      return fc.double({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return anyList(schema, named);
    case 'object':
      return anyObject(schema, named);
    default:
      return anyText(schema);
  }
}

function anyInteger({ minimum = -1000, maximum = 1000 }: SchemaObject) {
  return fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31 - 1) });
}

function anyList(schema: SchemaObject, named: Record<string, SchemaObject>) {
  const { items = {}, minItems = 0, maxItems = 4 } = schema;
  return fc.array(anyOf(items, named), { minLength: minItems, maxLength: Math.min(maxItems, 4) });
}

function anyObject(schema: SchemaObject, named: Record<string, SchemaObject>) {
  const members = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    name,
    anyOf(field, named),
  ]);
  const model = Object.fromEntries(members) as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(model, { requiredKeys: schema.required ?? [] });
}

function anyText({ pattern, format, minLength = 0, maxLength = 40 }: SchemaObject) {
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uuid') return fc.uuid();
  const instant = fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });
  if (format === 'date-time') return instant.map((date) => date.toISOString());
  if (format === 'date') return instant.map((date) => date.toISOString().slice(0, 10));
  const length = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 100)) };
  return fc.string({ ...length, unit: 'grapheme' }).map((text) => text.toWellFormed());
}
