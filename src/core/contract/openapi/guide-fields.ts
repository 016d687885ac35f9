/** Schema objects as rows that a person can read. */
import { MAX_COUNT } from '#core/schema/usage.ts';
import { type SchemaObject, type Schemas, copiedName, inlined, nameOf } from './openapi-schemas.ts';

/** A field: where it stands, what it may be, what it means. */
export interface GuideField {
  /** With a dot before each member and `[]` after each list. */
  name: string;
  /** In words; the name of a type that is told elsewhere stands in it as it is spelled. */
  type: string;
  /** Where on the page the type is told, if that is elsewhere. */
  href: string | null;
  /** Empty if its name says all. */
  meaning: string;
}

/** The fields of an object, those of nameless objects inside it among them. */
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

/** What a value may be, in words. */
export function typeOf(schema: SchemaObject, named: Schemas): string {
  const reference = referenceOf(schema);
  if (reference !== null && named[reference]?.type === 'object') {
    const original = copiedName(reference, named);
    return original === null ? reference : `${original} or null`;
  }
  const whole = inlined(schema, named);
  const { items, nullable } = whole;
  if (whole.enum) return oneOf(whole.enum.map(String));
  const type = items ? `list of ${typeOf(items, named)}` : plainType(whole);
  return nullable ? `${type} or null` : type;
}

/** Where the named object is told that a field holds, or a list of. */
function addressOfType(schema: SchemaObject, named: Schemas): string | null {
  const name = referenceOf(schema.items ?? schema);
  if (name === null || named[name]?.type !== 'object') return null;
  return typeAddress(copiedName(name, named) ?? name);
}

/** The place of a type on the page. */
export function typeAddress(name: string): string {
  return `#type-${name}`;
}

/** The name that a schema refers to, also beside a description. */
function referenceOf(schema: SchemaObject): string | null {
  return nameOf(schema.allOf?.[0] ?? schema);
}

function meaningOf(schema: SchemaObject, named: Schemas): string {
  const whole = inlined(schema, named);
  const name = referenceOf(schema);
  return whole.description ?? (name === null ? '' : (named[name]?.description ?? ''));
}

/** The object without a name that a field holds, and the path of its fields. */
function namelessInside(field: SchemaObject, path: string): [SchemaObject | null, string] {
  if (field.properties) return [field, path];
  if (field.items?.properties) return [field.items, path.replace(/\.$/, '[].')];
  return [null, path];
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'UTC day, YYYY-MM-DD',
  'date-time': 'instant, RFC 3339',
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
  if (minimum > -MAX_COUNT) return ` from ${minimum} on`;
  return maximum < MAX_COUNT ? ` up to ${maximum}` : '';
}
