/** One operation of the HTTP API, told once: binding, validation, errors and documents read it. */
import * as z from 'zod';
import type { ErrorCode } from '../domain/errors.ts';

/**
 * Who may call: anyone; a signed-in person (cookie), or also a device by its token; or whoever
 * holds what the body itself proves (an enrolment code, a signature).
 */
export type Auth = 'body' | 'device_or_session' | 'public' | 'session';

export interface Route<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Caller extends Auth = Auth,
> {
  readonly method: 'DELETE' | 'GET' | 'POST';
  /** Path with parameters in braces, as in OpenAPI. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly auth: Caller;
  /** How long a cache may keep the reply, in seconds; 0 forbids to store it. */
  readonly cacheSeconds: number;
  readonly query: Query;
  readonly body: Body;
  /** The largest body accepted, in bytes after decompression. */
  readonly bodyLimitBytes: number;
  /** Media types accepted in a body; empty if there is none. */
  readonly accepts: readonly string[];
  readonly reply: Reply;
  /** The refusals of its own; validation, method and server errors come with every route. */
  readonly errors: readonly ErrorCode[];
}

/** The members of a route that takes no body. */
export const NoBody = { body: z.undefined(), bodyLimitBytes: 0, accepts: [] } as const;

/** The query of a route that takes none. */
export const NoQuery = z.strictObject({});

export function defineRoute<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  const Caller extends Auth,
>(route: Route<Query, Body, Reply, Caller>): Route<Query, Body, Reply, Caller> {
  return route;
}
