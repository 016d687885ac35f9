import type { APIContext, APIRoute } from 'astro';
import type * as z from 'zod';
import type { LimitName } from '#core/contract/limits.ts';
import type { Auth, Route } from '#core/contract/route.ts';
import { DomainError } from '#core/domain/errors.ts';
import { faultsOf, parseAs, pointerOf } from '#core/domain/faults.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { readJson, readText } from './body.ts';
import { type SessionCaller, deviceCaller, sessionCaller } from './caller.ts';
import { refuseCrossSite } from './cross-site.ts';
import { MethodError } from './methods.ts';
import { problemHeaders, problemOf } from './problem.ts';

/** What a handler works with. */
export interface Call<Query, Body, Asks> {
  ctx: AppContext;
  query: Query;
  body: Body;
  caller: Asks;
  /** The path's parameters. */
  params: Readonly<Record<string, string | undefined>>;
  /** Counts this request against a policy of the client's own, or of all clients together. */
  limit: (policy: LimitName, of: 'all' | 'client') => void;
}

export interface Answer<Reply> {
  body: Reply;
  status?: number;
  headers?: Record<string, string>;
}

type Handler<Query, Body, Asks, Reply> = (
  call: Call<Query, Body, Asks>,
) => Answer<Reply> | Promise<Answer<Reply>>;

/** Where a route lets anyone call, there may be no caller. */
type Asks<Needs extends Auth> = Needs extends 'body' | 'public' ? Caller | null : Caller;

interface Binding {
  route: Route;
  handle: Handler<unknown, unknown, Caller | null, unknown>;
}

/** Ties a handler to its route. */
export function bind<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  Needs extends Auth,
>(
  route: Route<Query, Body, Reply, Needs>,
  handle: Handler<z.output<Query>, z.output<Body>, Asks<Needs>, z.output<Reply>>,
): Binding {
  return { route, handle: handle as Binding['handle'] };
}

/**
 * Serves the operations of one path: finds the method, checks who calls, validates, runs the
 * handler, and writes its answer or a problem.
 */
export function endpoint(...bindings: Binding[]): APIRoute {
  return async (context) => {
    try {
      const binding = findBinding(bindings, context.request.method);
      return await serve(binding, context);
    } catch (error) {
      return problemResponse(error, context, bindings);
    }
  };
}

/** Answers an address that no route knows. */
export const nothingHere: APIRoute = (context) => {
  const error = new DomainError('not_found', `There is nothing at ${context.url.pathname}`);
  return problemResponse(error, context, []);
};

function findBinding(bindings: readonly Binding[], method: string): Binding {
  const found = bindings.find(({ route }) => route.method === method);
  if (found) return found;
  throw new MethodError(method, allowed(bindings));
}

async function serve({ route, handle }: Binding, context: APIContext): Promise<Response> {
  const { request, locals, params, url } = context;
  const { ctx } = locals;
  const session = await authenticate(route, ctx, request);
  const query = readQuery(route, url);
  const body = await readBody(route, request);
  const { limiter, client } = locals;
  const answer = await handle({
    ctx,
    query,
    body,
    caller: session?.caller ?? null,
    params,
    limit: (policy, of) => limiter.take(policy, of === 'all' ? 'all' : client),
  });
  const response = Response.json(answer.body, {
    status: answer.status ?? 200,
    headers: { 'Cache-Control': cacheControl(route), ...answer.headers },
  });
  if (session?.setCookie) response.headers.append('Set-Cookie', session.setCookie);
  return response;
}

async function authenticate(
  route: Route,
  ctx: AppContext,
  request: Request,
): Promise<SessionCaller | null> {
  if (route.auth === 'body') return null;
  if (route.auth === 'device_or_session') {
    const caller = await deviceCaller(ctx, request);
    if (caller) return { caller, setCookie: null };
  }
  if (route.auth === 'public') {
    return route.cacheSeconds > 0 ? null : sessionCaller(ctx, request);
  }
  const session = request.headers.has('authorization') ? null : await sessionCaller(ctx, request);
  if (!session) throw unauthenticated();
  if (route.method !== 'GET') refuseCrossSite(request.headers, ctx.config.baseUrl);
  return session;
}

function unauthenticated(): DomainError {
  return new DomainError('unauthenticated', 'This needs a signed-in operator');
}

function readQuery(route: Route, url: URL): unknown {
  const given = [...new Set(url.searchParams.keys())].map((name) => {
    const values = url.searchParams.getAll(name);
    return [name, values.length === 1 ? values[0] : values];
  });
  const parsed = route.query.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return faultsOf([issue]);
    const known = Object.keys((route.query as Partial<z.ZodObject>).shape ?? {});
    const detail = `must be one of: ${known.join(', ') || 'no parameter at all'}`;
    return issue.keys.map((key) => ({ pointer: pointerOf([key]), code: issue.code, detail }));
  });
  const places = faults.map(({ pointer, detail }) => `${pointer.slice(2)}: ${detail}`);
  throw new DomainError('query_invalid', places.join('; '), faults);
}

async function readBody(route: Route, request: Request): Promise<unknown> {
  if (route.accepts.length === 0) return undefined;
  if (route.body.type === 'string') return readText(request, route);
  return parseAs(route.body, await readJson(request, route), 'The body');
}

function cacheControl({ cacheSeconds }: Route): string {
  return cacheSeconds === 0 ? 'no-store' : `public, max-age=${cacheSeconds}`;
}

function problemResponse(
  error: unknown,
  { locals, request }: APIContext,
  bindings: readonly Binding[],
): Response {
  const { ctx, requestId } = locals;
  const problem = problemOf(error, { baseUrl: ctx.config.baseUrl, requestId });
  if (problem.status >= 500) {
    ctx.logger.error('request_failed', error, { request: requestId });
  }
  const headers = new Headers(problemHeaders(problem, error));
  if (problem.status === 415) headers.set('Accept', accepted(bindings, request.method));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function allowed(bindings: readonly Binding[]): string {
  const methods = bindings.map(({ route }) => route.method);
  return methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
}

function accepted(bindings: readonly Binding[], method: string): string {
  const route = bindings.find((binding) => binding.route.method === method)?.route;
  return route?.accepts.join(', ') ?? '';
}
