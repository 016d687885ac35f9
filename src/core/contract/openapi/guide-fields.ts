/** Converts schema objects to readable rows. */
import { MAX_COUNT } from '#core/schema/usage.ts';
import { type SchemaObject, type Schemas, copiedName, inlined, nameOf } from './openapi-schemas.ts';

/** A field with its path, type and meaning. */
export interface GuideField {
  /** The path, with a dot before each member and `[]` after each list. */
  name: string;
  /** The type in words, with code between backticks, or the name of a type with its own entry. */
  type: string;
  /** The address of the type's own entry; null if it has none. */
  href: string | null;
  /** Empty if the name is enough. */
  meaning: string;
}

/** Returns the fields of an object, including those of unnamed objects inside it. */
export function fieldsOf(schema: SchemaObject, named: Schemas, path = ''): GuideField[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = path + name;
    const optional = !required.includes(name);
    const [inner, below] = namelessInside(field, `${at}.`);
    const row = {
      name: at,
      type: typeOf(field, named) + (optional ? ', or absent' : ''),
      href: addressOfType(field, named),
      meaning: meaningOf(field, named),
    };
    return inner ? [row, ...fieldsOf(inner, named, below)] : [row];
  });
}

/** Returns the type of a value in words. */
export function typeOf(schema: SchemaObject, named: Schemas): string {
  const reference = referenceOf(schema);
  if (reference !== null && named[reference]?.type === 'object') {
    const original = copiedName(reference, named);
    return original === null ? reference : `${original} or null`;
  }
  const whole = inlined(schema, named);
  const { items, nullable } = whole;
  if (whole.enum) return oneOf(whole.enum.map((value) => `\`${String(value)}\``));
  const type = items ? `list of ${typeOf(items, named)}` : plainType(whole);
  return nullable ? `${type} or null` : type;
}

/** Returns the address of the named object in a field or in its list. */
function addressOfType(schema: SchemaObject, named: Schemas): string | null {
  const name = referenceOf(schema.items ?? schema);
  if (name === null || named[name]?.type !== 'object') return null;
  return typeAddress(copiedName(name, named) ?? name);
}

/** Returns the anchor of a type. */
export function typeAddress(name: string): string {
  return `#type-${name}`;
}

/** Returns the name that a schema refers to, even next to a description. */
function referenceOf(schema: SchemaObject): string | null {
  return nameOf(schema.allOf?.[0] ?? schema);
}

function meaningOf(schema: SchemaObject, named: Schemas): string {
  const whole = inlined(schema, named);
  const name = referenceOf(schema);
  return whole.description ?? (name === null ? '' : (named[name]?.description ?? ''));
}

/** Returns the unnamed object in a field, and the path of its fields. */
function namelessInside(field: SchemaObject, path: string): [SchemaObject | null, string] {
  if (field.properties) return [field, path];
  if (field.items?.properties) return [field.items, path.replace(/\.$/, '[].')];
  return [null, path];
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'UTC day, YYYY-MM-DD',
  'date-time': 'time, RFC 3339',
  uri: 'URL',
  uuid: 'UUID',
};

function plainType({ type, format = '', ...rest }: SchemaObject): string {
  switch (type) {
    case 'boolean':
      return 'true or false';
    case 'integer':
    case 'number':
      return (type === 'integer' ? 'whole number' : 'number') + rangeOf(rest);
    case 'string':
      return FORMATS[format] ?? 'text';
    default:
      return type ?? 'any value';
  }
}

function oneOf(values: readonly string[]): string {
  const last = values.at(-1) ?? '';
  return values.length === 1 ? last : `${values.slice(0, -1).join(', ')} or ${last}`;
}

function rangeOf({ minimum = -MAX_COUNT, maximum = MAX_COUNT }: SchemaObject): string {
  if (minimum > -MAX_COUNT && maximum < MAX_COUNT) return `, ${minimum} to ${maximum}`;
  if (minimum > -MAX_COUNT) return `, at least ${minimum}`;
  return maximum < MAX_COUNT ? `, at most ${maximum}` : '';
}
