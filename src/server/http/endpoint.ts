import type { APIContext, APIRoute } from 'astro';
import * as z from 'zod';
import { type LimitName, PAGE_LIMIT } from '#core/contract/limits.ts';
import {
  type Auth,
  CREDENTIALS,
  type Credential,
  type Route,
  isCounted,
} from '#core/contract/route.ts';
import { DomainError, type ErrorCode, type Fault } from '#core/domain/text/errors.ts';
import type { Resource } from '#core/domain/account/oauth.ts';
import { IN_WORDS, MAX_FAULTS, faultsOf, parseAs, pointerOf } from '#core/domain/text/faults.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { FORM_MEDIA_TYPE, mediaTypeOf, readForm, readJson, readText } from './request/body.ts';
import { sessionCaller, tokenCaller } from './request/caller.ts';
import { refuseCrossSite } from './request/cross-site.ts';
import { movedResponse } from './routes/codename-redirects.ts';
import { MethodError } from './routes/methods.ts';
import { loggedProblem, problemHeaders } from './response/problem.ts';
import { type Answer, replyTo } from './response/reply.ts';

/** What a handler receives. */
export interface Call<Query, Body, Asks, Params> {
  ctx: AppContext;
  query: Query;
  /** The request headers that the route declares. */
  headers: Readonly<Record<string, string | undefined>>;
  body: Body;
  caller: Asks;
  /** The path's parameters. */
  params: Params;
  /** Counts this request against a policy for the client, or for all clients together. */
  limit: (policy: LimitName) => void;
}

type Handler<Query, Body, Asks, Reply, Params> = (
  call: Call<Query, Body, Asks, Params>,
) => Answer<Reply> | Promise<Answer<Reply>>;

/** A route that anyone may call may have no caller. */
type Asks<Needs extends Auth> = Needs extends 'body' | 'body_or_account' | 'key' | 'public'
  ? Caller | null
  : Caller;

export interface Binding {
  route: Route;
  handle: Handler<unknown, unknown, Caller | null, unknown, unknown>;
}

/** Binds a handler to its route. */
export function bind<
  Query extends z.ZodType,
  Body extends z.ZodType,
  Reply extends z.ZodType,
  Needs extends Auth,
  Params extends z.ZodType,
>(
  route: Route<Query, Body, Reply, Needs, Params>,
  handle: Handler<z.output<Query>, z.output<Body>, Asks<Needs>, z.output<Reply>, z.output<Params>>,
): Binding {
  return { route: route as unknown as Route, handle: handle as Binding['handle'] };
}

/**
 * Serves the operations of one path: finds the method, authenticates the caller, validates the input, runs the
 * handler, and writes its result or a problem.
 */
export function endpoint(...bindings: Binding[]): APIRoute & { routes: readonly Route[] } {
  const serveAny: APIRoute = async (context) => {
    try {
      const binding = findBinding(bindings, context.request.method);
      return await serve(binding, context);
    } catch (error) {
      const accepts = accepted(bindings, context.request.method);
      return movedResponse(error, context) ?? problemResponse(error, context, { accepts });
    }
  };
  return Object.assign(serveAny, { routes: bindings.map(({ route }) => route) });
}

function findBinding(bindings: readonly Binding[], method: string): Binding {
  const found = bindings.find(({ route }) => route.method === method);
  if (found) return found;
  throw new MethodError(method, allowed(bindings));
}

async function serve({ route, handle }: Binding, context: APIContext): Promise<Response> {
  const { request, locals, url } = context;
  const { ctx, client } = locals;
  const params = readParams(route, context);
  if (route.auth === 'key' && !locals.apiKey)
    throw new DomainError(
      'api_key_invalid',
      'This request needs an API key in the x-api-key header',
    );
  const session = await authenticate(route, ctx, request);
  if (session && route.method !== 'GET') {
    ctx.limiter.take('writes', String(session.caller.operator_id));
  }
  const query = readQuery(route, url);
  refuseLongPage(route, query, locals);
  const headers = readHeaders(route, request);
  const body = await readBody(route, request, locals.upload.enter);
  // Signed-in callers have limits of their own, and must not make others wait.
  if (session) locals.upload.leave();
  const answer = await handle({
    ctx,
    query,
    headers,
    body,
    caller: session?.caller ?? null,
    params,
    limit: (policy) => ctx.limiter.take(policy, client),
  });
  const { format } = query as { format?: unknown };
  const response = replyTo(route, answer, { url, format });
  if (session?.setCookie) response.headers.append('Set-Cookie', session.setCookie);
  return response;
}

async function authenticate(route: Route, ctx: AppContext, request: Request) {
  const isToken = request.headers.has('authorization');
  if (route.auth === 'public') {
    return isToken || route.cacheSeconds > 0 ? null : sessionCaller(ctx, request);
  }
  const credentials = credentialsOf(route, request);
  if (isToken && credentials.some(isTokenKind)) {
    return { caller: await tokenCaller(ctx, request, credentials), setCookie: null };
  }
  if (!credentials.includes('session')) return null;
  const session = await (isToken ? refuseToken(ctx, request) : sessionCaller(ctx, request));
  if (!session) throw new DomainError('unauthenticated', 'This request needs a signed-in operator');
  if (route.method !== 'GET') refuseCrossSite(request.headers, ctx.config.baseUrl);
  return session;
}

/**
 * @throws {DomainError} `credential_unsuitable` if the token is valid. After a 401, the client would only get another
 * token.
 */
async function refuseToken(ctx: AppContext, request: Request): Promise<null> {
  await tokenCaller(ctx, request, []).catch((error: unknown) => {
    if (!(error instanceof DomainError) || PASSED_ON.includes(error.code)) throw error;
  });
  return null;
}

/** The token errors that a route without tokens reports. Any other would reveal too much about the token. */
const PASSED_ON: readonly ErrorCode[] = ['credential_unsuitable', 'service_unavailable'];

function isTokenKind(credential: Credential): boolean {
  return credential === 'bearer' || credential === 'device';
}

/** If a signed body may authenticate itself, only JSON bodies need a caller. */
function credentialsOf({ auth }: Route, request: Request): readonly Credential[] {
  const provesItself = auth === 'body_or_account' && mediaTypeOf(request) !== 'application/json';
  return provesItself ? [] : CREDENTIALS[auth];
}

/** Invalid path parameters lead to "not found". */
function readParams(route: Route, { params, url }: APIContext): unknown {
  const parsed = route.params.safeParse(params, IN_WORDS);
  if (parsed.success) return parsed.data;
  const why = faultsOf(parsed.error.issues).map(
    ({ pointer, detail }) => `${pointer.slice(2)} ${detail}`,
  );
  throw new DomainError('not_found', `Nothing was found at ${url.pathname}: ${why.join('; ')}`);
}

function readQuery(route: Route, url: URL): unknown {
  const seen = new Set<string>();
  const repeated = [...url.searchParams.keys()].filter((name) => {
    return seen.size === seen.add(name).size;
  });
  if (repeated.length > 0) throw badQuery(faultsAt(repeated, 'repeated', 'must be given once'));
  const parsed = route.query.safeParse(Object.fromEntries(url.searchParams), IN_WORDS);
  if (parsed.success) return parsed.data;
  const known = Object.keys((route.query as Partial<z.ZodObject>).shape ?? {});
  const allowed =
    known.length > 0
      ? `valid parameters are ${known.join(', ')}`
      : 'this operation has no parameters';
  const faults = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return faultsOf([issue]);
    return faultsAt(issue.keys, issue.code, `is not a parameter of this operation (${allowed})`);
  });
  throw badQuery(faults);
}

function faultsAt(names: readonly string[], code: string, detail: string): Fault[] {
  const distinct = [...new Set(names)].slice(0, MAX_FAULTS);
  return distinct.map((name) => ({ pointer: pointerOf([name]), code, detail }));
}

function badQuery(faults: readonly Fault[]): DomainError {
  const places = faults.map(({ pointer, detail }) => `${pointer.slice(2)}: ${detail}`);
  return new DomainError('query_invalid', places.join('; '), faults);
}

/** Only clients with an API key may read long pages of public data. */
function refuseLongPage(route: Route, query: unknown, { apiKey }: App.Locals): void {
  const { limit = 0 } = query as { limit?: number };
  if (limit <= PAGE_LIMIT.max || apiKey || !isCounted(route)) return;
  const detail = `must be at most ${PAGE_LIMIT.max} without an API key`;
  throw badQuery(faultsAt(['limit'], 'too_big', detail));
}

type Enter = App.Locals['upload']['enter'];

async function readBody(route: Route, request: Request, enterLarge: Enter): Promise<unknown> {
  if (route.accepts.length === 0) return undefined;
  if (route.body.type === 'string') return readText(request, route, enterLarge);
  const mediaType = mediaTypeOf(request);
  const body = await (READERS[mediaType] ?? readJson)(request, route, enterLarge);
  return parseAs(route.contents?.[mediaType] ?? route.body, body, 'The body');
}

/** How bodies that are not JSON are read. */
const READERS: Readonly<Record<string, typeof readJson>> = {
  [FORM_MEDIA_TYPE]: readForm,
  'text/plain': readText,
};

/** The request headers that the route declares. Others are ignored. */
function readHeaders({ headers: named }: Route, { headers }: Request) {
  if (!named) return {};
  const fields = Object.keys(named.shape).map((name) => [name, headers.get(name) ?? undefined]);
  const read = parseAs(named, Object.fromEntries(fields), 'The request headers');
  return read as Record<string, string | undefined>;
}

/**
 * Converts an error to problem details. Logs errors other than `DomainError`.
 *
 * @param served The media types that are accepted, and the resource for which a token is needed.
 */
export function problemResponse(
  error: unknown,
  { locals }: Pick<APIContext, 'locals'>,
  served: { accepts?: readonly string[]; resource?: Resource } = {},
): Response {
  const { accepts = [], resource = 'api' } = served;
  const problem = loggedProblem(error, locals);
  const { baseUrl } = locals.ctx.config;
  const headers = new Headers(problemHeaders(problem, error, baseUrl, resource));
  if (problem.status === 415) headers.set('Accept', accepts.join(', '));
  return new Response(JSON.stringify(problem), { status: problem.status, headers });
}

function allowed(bindings: readonly Binding[]): string[] {
  const methods = bindings.map(({ route }) => route.method as string);
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort();
}

function accepted(bindings: readonly Binding[], method: string): readonly string[] {
  const route = bindings.find((binding) => binding.route.method === method)?.route;
  return route?.accepts ?? [];
}
