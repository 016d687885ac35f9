/**
 * Converts the zod schemas of the contract to schema objects of OpenAPI 3.0. Named ones become components.
 *
 * @see {@link https://spec.openapis.org/oas/v3.0.3#schema-object | OpenAPI 3.0.3, schema object}
 * @module
 */
import * as z from 'zod';

/** A schema object, as far as the contract uses it. */
export interface SchemaObject {
  $ref?: string;
  type?: 'array' | 'boolean' | 'integer' | 'number' | 'object' | 'string';
  format?: string;
  description?: string;
  nullable?: boolean;
  default?: unknown;
  enum?: unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: SchemaObject;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, SchemaObject>;
  required?: string[];
  additionalProperties?: boolean | SchemaObject;
  allOf?: SchemaObject[];
  anyOf?: SchemaObject[];
}

/** Schemas by the ID in their `meta`. */
export type Schemas = Record<string, SchemaObject>;

/** The path of named schemas in the document. */
const SCHEMAS_PATH = '#/components/schemas/';
const DEFINITIONS_PATH = '#/definitions/';
/** The prefix for names of nullable copies. */
const OR_NULL = 'Nullable';

/** Formats that make zod's long pattern redundant. */
const TOLD_BY_FORMAT = ['date', 'date-time', 'uuid'];
const MAX_INT32 = 2 ** 31 - 1;
const COPY_REFERENCE = new RegExp(`"${SCHEMAS_PATH}(${OR_NULL}(\\w+))"`, 'g');

/** Returns the name that a reference points to; null if there is none. */
export function nameOf({ $ref }: SchemaObject): string | null {
  return $ref?.startsWith(SCHEMAS_PATH) ? $ref.slice(SCHEMAS_PATH.length) : null;
}

/** Returns the name of the original of a nullable copy; null if the name does not belong to a copy. */
export function copiedName(name: string, named: Schemas): string | null {
  return name.startsWith(OR_NULL) && named[name]?.nullable ? name.slice(OR_NULL.length) : null;
}

/**
 * Converts a zod schema to a schema object that refers to named ones.
 *
 * @param named Receives the named schemas that it needs.
 * @param io `input` for requests, `output` for responses.
 */
export function schemaObject(
  schema: z.ZodType,
  named: Schemas,
  io: 'input' | 'output' = 'output',
): SchemaObject {
  const converted = z.toJSONSchema(schema, { target: 'openapi-3.0', io });
  const text = JSON.stringify(converted).replaceAll(DEFINITIONS_PATH, SCHEMAS_PATH);
  const { definitions = {}, ...own } = JSON.parse(text) as SchemaObject & { definitions?: Schemas };
  const whole = tidied(own, { ...definitions, ...named });
  const added: SchemaObject[] = [whole];
  for (const [name, definition] of Object.entries(definitions)) {
    if (named[name]) continue;
    named[name] = tidied(definition, definitions);
    added.push(named[name]);
  }
  addCopies(JSON.stringify(added), named);
  return whole;
}

/** Resolves a reference unless it points to an object. Members next to the reference take precedence. */
export function inlined(schema: SchemaObject, named: Schemas): SchemaObject {
  const { allOf, $ref, ...beside } = schema;
  const reference = $ref === undefined ? allOf?.[0] : { $ref };
  const target = named[(reference && nameOf(reference)) ?? ''];
  if (target === undefined || target.type === 'object') return schema;
  return { ...target, ...beside };
}

/** Converts zod's output to OpenAPI 3.0, recursively and without redundant keywords. */
function tidied(schema: SchemaObject, named: Schemas): SchemaObject {
  const whole = { ...orNull(bare(schema), named) };
  const { items, properties, additionalProperties: more } = whole;
  if (TOLD_BY_FORMAT.includes(whole.format ?? '')) delete whole.pattern;
  if (whole.type === 'integer') whole.format = integerFormat(whole);
  if (items) whole.items = tidied(ofTuple(items), named);
  if (properties) {
    const fields = Object.entries(properties).map(([name, field]) => [name, tidied(field, named)]);
    whole.properties = Object.fromEntries(fields) as Schemas;
  }
  // Some tools misread the empty schema for an open object, so it becomes `true`.
  if (typeof more === 'object') whole.additionalProperties = true;
  return whole;
}

/** Returns one schema for the items of a tuple if they differ only in null. OpenAPI 3.0 has no tuples. */
function ofTuple(items: SchemaObject): SchemaObject {
  const [first, ...others] = items.anyOf ?? [];
  if (!first) return items;
  const kindOf = (schema: SchemaObject) => JSON.stringify({ ...schema, nullable: undefined });
  if (!others.every((other) => kindOf(other) === kindOf(first))) return items;
  return items.anyOf?.some(({ nullable }) => nullable) ? { ...first, nullable: true } : first;
}

/** Removes an `allOf` that contains only a reference. */
function bare(schema: SchemaObject): SchemaObject {
  const [reference] = schema.allOf ?? [];
  return reference && Object.keys(schema).length === 1 ? reference : schema;
}

function integerFormat({ minimum = -Infinity, maximum = Infinity }: SchemaObject): string {
  return Math.max(-minimum, maximum) > MAX_INT32 ? 'int64' : 'int32';
}

/**
 * Makes a schema nullable in a way that all tools understand. `nullable` requires a `type` next to it and does not work
 * with a reference; an enumeration must list null. A named object gets a nullable copy, because generators disagree
 * about every way to combine a reference with null.
 *
 * @see {@link https://github.com/OAI/OpenAPI-Specification/blob/main/proposals/2019-10-31-Clarify-Nullable.md | Clarify semantics of nullable}
 */
function orNull(schema: SchemaObject, named: Schemas): SchemaObject {
  if (!schema.nullable) return schema;
  const whole = inlined(schema, named);
  if (whole.enum) return { ...whole, enum: [...whole.enum, null] };
  if (whole.type !== undefined) return whole;
  const { allOf = [], ...beside } = whole;
  delete beside.nullable;
  return bare({ ...beside, allOf: allOf.map(copyOf) });
}

/** Returns a reference to the nullable copy. */
function copyOf(schema: SchemaObject): SchemaObject {
  const name = nameOf(schema);
  return name === null ? schema : { $ref: `${SCHEMAS_PATH}${OR_NULL}${name}` };
}

/** Adds the nullable copies that a text refers to. */
function addCopies(text: string, named: Schemas): void {
  for (const [, copy = '', name = ''] of text.matchAll(COPY_REFERENCE)) {
    const original = named[name];
    if (original) named[copy] ??= { ...original, nullable: true };
  }
}
