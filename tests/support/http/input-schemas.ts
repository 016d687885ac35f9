/** All inputs of operations and tools, part by part, for rules about all inputs. */
import * as z from 'zod';
import { BOARD_TOOLS } from '#core/contract/mcp/board-tools.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { discoverPeers, selfImprove } from '#core/contract/mcp/tools.ts';
import { ChallengeTerms } from '#core/schema/challenge.ts';
import { EnrollmentStatement } from '#core/schema/device.ts';
import { SnapshotPayload, SnapshotPayload2 } from '#core/schema/snapshot.ts';

/** A part of a schema, and its position. */
export interface Part {
  place: string;
  schema: z.core.$ZodType;
}

/** Every schema of inputs, by its use. */
export function inputSchemas(): [string, z.core.$ZodType][] {
  const routes = ROUTES.flatMap(({ id, params, query, body, headers, contents = {} }) => [
    [`${id} path`, params] as const,
    [`${id} query`, query] as const,
    [`${id} body`, body] as const,
    ...(headers ? [[`${id} head`, headers] as const] : []),
    ...Object.entries(contents).map(([type, schema]) => [`${id} ${type}`, schema] as const),
  ]);
  const tools = [...BOARD_TOOLS, discoverPeers, selfImprove].map(({ name, input }) => {
    return [`tool ${name}`, input] as const;
  });
  const signed = Object.entries({
    SnapshotPayload,
    SnapshotPayload2,
    EnrollmentStatement,
    ChallengeTerms,
  });
  return [...routes, ...tools, ...signed] as [string, z.core.$ZodType][];
}

/** A schema and every schema inside it. */
export function* partsOf(place: string, root: z.core.$ZodType): Generator<Part> {
  const seen = new Set<z.core.$ZodType>();
  const open: Part[] = [{ place, schema: root }];
  for (let part = open.pop(); part; part = open.pop()) {
    if (seen.has(part.schema)) continue;
    seen.add(part.schema);
    yield part;
    const { place: at, schema } = part;
    for (const [name, inner] of innerOf(schema))
      open.push({ place: `${at}/${name}`, schema: inner });
  }
}

/** The schemas inside a zod definition, under any name. */
function innerOf({ _zod }: z.core.$ZodType): [string, z.core.$ZodType][] {
  const found: [string, z.core.$ZodType][] = [];
  const look = (name: string, value: unknown) => {
    if (isSchema(value)) found.push([name, value]);
    else if (Array.isArray(value)) value.forEach((each, at) => look(`${name}${at}`, each));
    else if (typeof value === 'object' && value !== null && !('_zod' in value)) {
      if (name === 'checks') return;
      for (const [key, each] of Object.entries(value)) look(key, each);
    }
  };
  for (const [name, value] of Object.entries(_zod.def)) {
    if (name === 'getter') look(name, (value as () => unknown)());
    else if (name !== 'checks') look(name, value);
  }
  return found;
}

function isSchema(value: unknown): value is z.core.$ZodType {
  const parts = (value as { _zod?: { def?: { type?: unknown } } } | null)?._zod;
  return typeof parts?.def?.type === 'string';
}
