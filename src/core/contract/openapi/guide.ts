/**
 * The content of the API reference pages, created from the same schemas as the OpenAPI document.
 *
 * @module
 */
import type { ErrorCode } from '#core/domain/text/errors.ts';
import { EXAMPLES, type Example } from '../examples/examples.ts';
import { type GuideField, fieldsOf, typeAddress, typeOf } from './guide-fields.ts';
import { TYPES_PAGE, guidePath } from './guide-pages.ts';
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

/** A request or response body. */
interface GuideContent {
  mediaTypes: readonly string[];
  /** The name of the schema. */
  name: string;
  fields: GuideField[];
}

/** The board that the example commands address. */
interface GuideOptions {
  baseUrl: string;
  /** Values of path parameters that exist on this board. */
  known: Readonly<Record<string, string>>;
}

/**
 * Describes routes: operations by group, each group with the types that only it uses, then the types that several
 * groups use. Yields every few milliseconds, because all of it takes up to 200.
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
  const all = Object.entries(TAGS).map(([tag, description]) => ({
    tag: tag as Route['tag'],
    description,
    operations: [...operations].flatMap(([route, one]) => (route.tag === tag ? [one] : [])),
  }));
  const groups = all.filter(({ operations: ofGroup }) => ofGroup.length > 0);
  const types = typesOf(named);
  const pages = pagesOf(groups, types);
  const onPage = (page: string) => types.filter(({ name }) => pages.get(name) === page);
  const contents = [...groups.flatMap((group) => group.operations.flatMap(contentsIn)), ...types];
  for (const field of contents.flatMap(({ fields }) => fields)) {
    const name = typeIn(field);
    if (name !== null) field.href = guidePath(pages.get(name) ?? TYPES_PAGE) + typeAddress(name);
  }
  return {
    groups: groups.map((group) => ({ ...group, types: onPage(group.tag) })),
    types: onPage(TYPES_PAGE),
    commonErrors,
  };
}

type GuideOperation = ReturnType<typeof operationOf>;
type GuideType = ReturnType<typeof typesOf>[number];

/** Returns the page of each type: that of the only group that uses it, or the page of shared types. */
function pagesOf(
  groups: readonly { tag: Route['tag']; operations: readonly GuideOperation[] }[],
  types: readonly GuideType[],
): Map<string, Route['tag'] | typeof TYPES_PAGE> {
  const byName = new Map(types.map((type) => [type.name, type]));
  const pages = new Map<string, Route['tag'] | typeof TYPES_PAGE>();
  for (const { tag, operations } of groups) {
    const used = new Set(operations.flatMap(contentsIn).flatMap(typesIn));
    // The loop also visits names added during the iteration.
    for (const name of used) typesIn(byName.get(name)).forEach((inner) => used.add(inner));
    for (const name of used) pages.set(name, pages.has(name) ? TYPES_PAGE : tag);
  }
  return pages;
}

function contentsIn({ bodies, replies }: GuideOperation): GuideContent[] {
  return [...bodies, ...replies];
}

/** Returns the names of the types that fields refer to. */
function typesIn(content: Pick<GuideContent, 'fields'> | undefined): string[] {
  return (content?.fields ?? []).flatMap((field) => typeIn(field) ?? []);
}

function typeIn({ href }: GuideField): string | null {
  return href?.slice(typeAddress('').length) ?? null;
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

/** Returns the objects that fields refer to, sorted by name. */
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

/** Returns the example command. Values that only the reader has, such as credentials, are shell variables and files. */
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

/** Returns the address. A write acts on the caller's own data, so its IDs are variables. */
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
