import type * as z from 'zod';
import type { Auth, Route } from '../route.ts';

/** A call of an operation and what it is answered, as the documents show it. */
export interface Example {
  params: Readonly<Record<string, string>>;
  /** As it stands in the address. */
  query: Readonly<Record<string, string>>;
  /** Null without a body. */
  body: unknown;
  /** Bodies of the media types that take another. */
  bodies: Readonly<Record<string, unknown>>;
  reply: unknown;
}

interface TypedExample<Query extends z.ZodType, Reply extends z.ZodType, Params extends z.ZodType> {
  params?: z.input<Params> & Record<string, string>;
  query?: z.input<Query> & Record<string, string>;
  body?: unknown;
  bodies?: Readonly<Record<string, unknown>>;
  reply: z.output<Reply>;
}

/** Ties an example to its route; the route's schemas type it. */
export function exampleOf<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  Caller extends Auth,
  Params extends z.ZodType,
>(
  { id }: Route<Query, Body, Reply, Caller, Params>,
  example: TypedExample<Query, Reply, Params>,
): readonly [id: string, example: Example] {
  return [id, { params: {}, query: {}, body: null, bodies: {}, ...example }];
}
