/**
 * Tools as `tools/list` returns them. Agents pay for every byte of the list, so it contains only what helps to choose a
 * tool and to write its arguments. Servers check arguments against the complete schema.
 *
 * @module
 */
import * as z from 'zod';
import type { Tool } from './tools.ts';

/** A JSON Schema of an object, which MCP requires for input. */
interface ObjectSchema {
  [keyword: string]: unknown;
  type: 'object';
}

/**
 * Returns a tool as listed by `tools/list`. It has no output schema: models read the answer itself, and answers may
 * have structured content without one.
 */
export function listedTool({ name, title, description, input, annotations, texts = {} }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: argumentsSchema(input, texts),
    annotations: { title, ...annotations },
  };
}

type Part = Record<string, unknown>;
type Parts = Readonly<Record<string, Part>>;

/**
 * Returns the schema of arguments. Each argument has a description, but nothing inside of it has one.
 *
 * @param texts Descriptions by argument, in place of those in `input`.
 */
function argumentsSchema(input: z.ZodObject, texts: NonNullable<Tool['texts']>): ObjectSchema {
  const { $defs = {}, ...schema } = z.toJSONSchema(input, { io: 'input' }) as Part;
  const whole = inlined(schema, $defs as Parts) as { properties?: Parts };
  const shown = shortened(whole);
  const described = Object.entries(shown['properties'] as Parts).map(([name, part]) => {
    const description = texts[name] ?? whole.properties?.[name]?.['description'];
    return [name, { ...part, description }] as const;
  });
  const properties = Object.fromEntries(described);
  return { ...shown, type: 'object', properties, additionalProperties: false };
}

/** Replaces references with what they refer to. Keywords next to a reference take precedence. */
function inlined(part: unknown, defs: Parts): unknown {
  if (Array.isArray(part)) return part.map((one) => inlined(one, defs));
  if (typeof part !== 'object' || part === null) return part;
  const { $ref, ...own } = part as Part;
  const target = typeof $ref === 'string' ? defs[$ref.replace('#/$defs/', '')] : {};
  const words = Object.entries({ ...target, ...own });
  return Object.fromEntries(words.map(([word, value]) => [word, inlined(value, defs)]));
}

/** Keywords that help only the server. */
const OF_THE_SERVER = new Set([
  ...['$schema', 'description', 'additionalProperties'],
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems'],
]);

/** Limits that every integer has. */
const USUAL: readonly unknown[] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

function shortened(part: Part): Part {
  const schema = withOneType(part);
  const { required = [] } = schema as { required?: readonly string[] };
  const words = Object.entries(schema).filter(([word, value]) => {
    return !OF_THE_SERVER.has(word) && !USUAL.includes(value);
  });
  return Object.fromEntries(
    words.map(([word, value]) => {
      if (word === 'items') return [word, shortened(value as Part)];
      if (word === 'anyOf') return [word, (value as Part[]).map(shortened)];
      if (word === 'properties') return [word, shortenedMembers(value as Parts, required)];
      return [word, value];
    }),
  );
}

/** Members that may be left out are listed without null, which means the same. */
function shortenedMembers(members: Parts, required: readonly string[]): Parts {
  const all = Object.entries(members).map(([name, member]) => {
    return [name, shortened(required.includes(name) ? member : withoutNull(member))] as const;
  });
  return Object.fromEntries(all);
}

/** Replaces a list of types, which some clients do not understand. */
function withOneType({ type, ...schema }: Part): Part {
  if (!Array.isArray(type)) return { ...(type !== undefined && { type }), ...schema };
  return { ...schema, anyOf: type.map((one: unknown) => ({ type: one })) };
}

function withoutNull(part: Part): Part {
  const { anyOf, ...schema } = withOneType(part);
  const kinds = (anyOf as Part[] | undefined)?.filter(({ type }) => type !== 'null');
  if (kinds === undefined) return schema;
  return kinds.length === 1 ? { ...kinds[0], ...schema } : { ...schema, anyOf: kinds };
}
