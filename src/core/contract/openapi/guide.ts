/**
 * What the page for developers says of the routes: made of the same schemas as the OpenAPI document.
 *
 * @module
 */
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { EXAMPLES, type Example } from '../examples/examples.ts';
import { type GuideField, fieldsOf, typeAddress, typeOf } from './guide-fields.ts';
import {
  CALLERS,
  bodySchemaOf,
  keepingOf,
  parametersOf,
  retirementOf,
} from './openapi-operations.ts';
import { type SchemaObject, type Schemas, nameOf, schemaObject } from './openapi-schemas.ts';
import { PROBLEMS } from '../problems.ts';
import { type Route, TAGS, errorsOf } from '../route.ts';
import { groupBy } from '#core/domain/text/group.ts';

/** What is sent or answered. */
interface GuideContent {
  mediaTypes: readonly string[];
  /** The schema's name. */
  name: string;
  fields: GuideField[];
}

/** The board that the commands are for. */
interface GuideOptions {
  baseUrl: string;
  /** Names that this board knows, for the path parameters of its reads. */
  known: Readonly<Record<string, string>>;
}

/**
 * What to say of these routes: operations by what they are about, and the objects that their fields refer to. In steps
 * of a few milliseconds, since all of it takes up to 200.
 */
export function* guideSteps(routes: readonly Route[], options: GuideOptions) {
  const named: Schemas = {};
  const commonErrors = errorsOf(routes[0] as Route).filter((code) =>
    routes.every((route) => errorsOf(route).includes(code)),
  );
  const operations = new Map<Route, ReturnType<typeof operationOf>>();
  for (const route of routes) {
    operations.set(route, operationOf(route, { ...options, named, commonErrors }));
    yield;
  }
  const groups = Object.entries(TAGS).map(([tag, description]) => ({
    tag,
    description,
    operations: [...operations].flatMap(([route, told]) => (route.tag === tag ? [told] : [])),
  }));
  return {
    groups: groups.filter(({ operations: ofGroup }) => ofGroup.length > 0),
    types: typesOf(named),
    commonErrors,
  };
}

interface Context extends GuideOptions {
  named: Schemas;
  commonErrors: readonly ErrorCode[];
}

function operationOf(route: Route, context: Context) {
  const { named, commonErrors } = context;
  const example = EXAMPLES[route.id];
  const errors = errorsOf(route).filter((code) => !commonErrors.includes(code));
  const csv = route.table ? ['text/csv'] : [];
  return {
    id: route.id,
    method: route.method,
    path: route.path,
    summary: route.summary,
    description: route.description ?? null,
    callers: CALLERS[route.auth].told,
    keeping: keepingOf(route),
    limit: route.limit,
    parameters: parametersOf(route, example, named).map(({ name, in: place, ...rest }) => ({
      name,
      place,
      type: typeOf(rest.schema, named),
      default: rest.schema.default === undefined ? null : String(rest.schema.default),
      meaning: rest.description ?? '',
    })),
    bodies: bodiesOf(route, example, named),
    replies: contentsOf(
      [route.replyType ?? 'application/json', ...csv],
      schemaObject(route.reply, named),
      named,
    ),
    statuses: route.statuses,
    errors: errors.map((code) => ({ code, status: PROBLEMS[code].status })),
    curl: curlOf(route, example, context),
    deprecation: route.deprecation ? retirementOf(route.deprecation) : null,
  };
}

function bodiesOf(route: Route, example: Example | undefined, named: Schemas) {
  const bySchema = groupBy(route.accepts, (mediaType) => bodySchemaOf(route, mediaType));
  return [...bySchema].flatMap(([body, mediaTypes]) => {
    const contents = contentsOf(mediaTypes, schemaObject(body, named, 'input'), named);
    const text = textOf(example?.bodies[mediaTypes[0] ?? ''] ?? example?.body ?? null);
    return contents.map((content, at) => ({ ...content, example: at === 0 ? text : null }));
  });
}

function textOf(body: unknown): string | null {
  if (body === null || typeof body === 'string') return body;
  return JSON.stringify(body, null, 2);
}

function contentsOf(
  mediaTypes: readonly string[],
  schema: SchemaObject,
  named: Schemas,
): GuideContent[] {
  return (schema.anyOf ?? [schema]).map((one) => {
    const name = nameOf(one) ?? '';
    return { mediaTypes, name, fields: fieldsOf(named[name] ?? one, named) };
  });
}

/** The objects that fields refer to, and those that these refer to. */
function typesOf(named: Schemas) {
  const objects = Object.entries(named).filter(([, { type }]) => type === 'object');
  const told = objects.map(([name, schema]) => ({
    name,
    description: schema.description ?? '',
    fields: fieldsOf(schema, named),
  }));
  const inside = new Set(told.flatMap(({ fields }) => fields.map(({ href }) => href)));
  return told
    .filter(({ name }) => inside.has(typeAddress(name)))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Credentials and the like, which only the reader has, stand as shell variables and files. */
function curlOf(route: Route, example: Example | undefined, options: GuideOptions): string {
  const { method, accepts, id } = route;
  const address = options.baseUrl + addressOf(route, example, options.known);
  const quoted = address.includes('$') ? `"${address}"` : `'${address}'`;
  const words = [
    'curl',
    method === 'GET' ? [] : `--request ${method}`,
    CALLERS[route.auth].curl || [],
    bodyWords(accepts, id),
    quoted,
  ];
  return words.flat().join(' ');
}

function bodyWords([mediaType]: readonly string[], id: string): string[] {
  if (mediaType === undefined) return [];
  if (mediaType === 'multipart/form-data') return ['--form file=@picture.png'];
  return [`--header 'Content-Type: ${mediaType}'`, `--data-binary @${id}.json`];
}

/** What a write acts on is the caller's own, so its name is a variable too. */
function addressOf(
  { method, path }: Route,
  example: Example | undefined,
  known: Readonly<Record<string, string>>,
): string {
  const noun = /(\w+?)s?\/\{/.exec(path)?.[1] ?? '';
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (method !== 'GET') return `$${noun.toUpperCase()}`;
    return known[name === 'id' ? noun : name] ?? example?.params[name] ?? `$${name.toUpperCase()}`;
  });
  const values = Object.entries(example?.query ?? {});
  const asked = values.map(([name, value]) => [name, known[name] ?? value]);
  const query = new URLSearchParams(asked).toString();
  return query ? `${filled}?${query}` : filled;
}
