import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RouteTable } from '#core/contract/route-table.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Found, Lookup } from './response/prepared-response.ts';
import type { ApiKey } from '../identity/api-keys.ts';
import type { Logger } from '../process/logger.ts';
import { prefersMarkdown } from './request/accept.ts';
import {
  type Address,
  NOWHERE,
  badgeAddress,
  markdownAddress,
  readAddress,
} from './request/address.ts';
import { type ResponsePolicy, originFields } from './routes/response-policy.ts';
import { type Admission, type GateOptions, gate } from './request/admission.ts';
import { MethodError, isRead } from './routes/methods.ts';
import { type RoutePolicy, type TrustedOrigins, routePolicies } from './routes/route-policy.ts';
import { LargeUpload } from './request/large-upload.ts';
import { problemHeaders, problemOf } from './response/problem.ts';
import { receive, receiveForm, withoutBody } from './request/receive.ts';
import type { AdmitReader, Readers } from './request/reader.ts';
import { type Redirection, homeOf, nothingAt, redirection } from './response/redirection.ts';
import type { Listener, Service } from './server.ts';
import { type Head, sendFinished, sendResponse } from './response/send.ts';
import { sendEmpty, sendProblem } from './response/send-problem.ts';
import { sendStream } from './response/stream.ts';
import { isForOne, privateAnswers } from './response/private-cache.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';

/** The client, as pages and endpoints see it. */
export interface Visitor {
  requestId: string;
  /** The key of the client's rate limits. */
  client: string;
  /** The address at the other end of the connection; empty if that is certainly a proxy. */
  peer: string;
  apiKey: ApiKey | null;
  /** Awaited before more than a usual body (64 KiB) is processed. */
  upload: Pick<LargeUpload, 'enter' | 'leave'>;
  /** Why a page did not receive its form, for the page to show. */
  refusedBody: DomainError | null;
}

export interface HttpLayerOptions extends GateOptions {
  baseUrl: string;
  routes: RouteTable;
  origins?: TrustedOrigins;
  frameAncestors?: readonly string[];
  now: () => Date;
  logger: Logger;
  lookup: Lookup;
  readers: Readers;
  /** Answers requests that have no prepared response. */
  render: (request: Request, visitor: Visitor) => Promise<Response>;
  /** Has another machine answer a request that failed. Returns false for errors that this does not help. */
  passOn?:
    | ((asked: Pick<Exchange, 'request' | 'requestId' | 'response'>, error: unknown) => boolean)
    | undefined;
}

/** A request on its way through the HTTP layer. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** The request ID. */
  requestId: string;
  method: string;
  address: Address;
  route: RoutePolicy;
  policy: ResponsePolicy;
  admission: Admission;
  /** The headers of every response to it. */
  head: Head;
}

/** Counts every request, and sends every response. */
export function createHttpLayer(options: HttpLayerOptions): Listener {
  const { baseUrl } = options;
  const policyOf = routePolicies(options.routes, options);
  const admit = gate(options);
  const home = homeOf(baseUrl);
  const forOne = privateAnswers(options);

  return (request, response, requestId) => {
    const { method = 'GET' } = request;
    const { asked, markdown } = addressesOf(request, options);
    const address = markdown ?? asked;
    const route = policyOf(address);
    const policy = route.response(method);
    const chosen = markdown ? ['Content-Location', markdown.target] : [];
    const named = ['X-Request-Id', requestId];
    const shared = [policy.headers, originFields(request, route, policy), chosen, named];
    let head: Head = shared;
    try {
      const admission = admit(request, method === 'OPTIONS' ? UNCOUNTED : policy);
      head = [...shared, admission.fields];
      if (admission.refusal) throw admission.refusal;
      const asking = { request, response, requestId, method, address };
      const exchange = { ...asking, route, policy, admission, head };
      const moved = redirection(exchange, home);
      const admitReader = options.readers(routeAt(options.routes, address), method);
      if (admitReader) void answerReader(forOne, exchange, { admitReader, moved });
      else answer(isForOne(request, markdown !== null) ? forOne : options, exchange, moved);
    } catch (error) {
      sendProblem({ request, response, requestId, head }, error, options);
    }
  };
}

/** Returns the requested address, and that of its Markdown version if there is one and the client prefers it. */
function addressesOf(
  { url = '/', headers }: IncomingMessage,
  { baseUrl, routes }: HttpLayerOptions,
) {
  const asked = badgeAddress(readAddress(url, baseUrl) ?? NOWHERE);
  return {
    asked,
    markdown: prefersMarkdown(headers.accept) ? markdownAddress(asked, routes) : null,
  };
}

/** Asking for an address's methods does not use up the quota of its reads. */
const UNCOUNTED = { limit: 'pages' } as const;

function answer(options: HttpLayerOptions, exchange: Exchange, moved: Redirection | null): void {
  const { request, response, method, address, policy, head } = exchange;
  if (moved) return sendEmpty(response, moved.status, [...head, ['Location', moved.location]]);
  if (policy.goneAtMs < Infinity) refuseGone(exchange, options.now());
  const mayBeFinished = isRead(method) && !wantsLongPage(exchange);
  const finished = mayBeFinished ? options.lookup(address.target) : undefined;
  if (finished && !(finished instanceof Promise)) {
    return sendFinished(request, response, finished, head);
  }
  refuseMethod(exchange);
  if (method === 'OPTIONS') return answerOptions(exchange);
  void answerLater(options, exchange, finished);
}

/** Answers a request for something that only members can read. */
async function answerReader(
  options: HttpLayerOptions,
  exchange: Exchange,
  { admitReader, moved }: { admitReader: AdmitReader; moved: Redirection | null },
): Promise<void> {
  const { request, response, address, head } = exchange;
  try {
    const web = withoutBody(request, options.baseUrl + address.target);
    const { setCookie } = await admitReader(web);
    const more = setCookie === null ? head : [...head, ['Set-Cookie', setCookie]];
    answer(options, { ...exchange, head: more }, moved);
  } catch (error) {
    if (isUnauthenticated(error) && isForPeople(options.routes, exchange)) {
      const query = new URLSearchParams({ return_to: address.target }).toString();
      const onward = ['Location', `/login?${query}`, 'Cache-Control', 'no-store'];
      return sendEmpty(response, 303, [...head, onward]);
    }
    const isMcp = routeAt(options.routes, address)?.kind === 'mcp';
    sendProblem(exchange, error, options, isMcp ? 'mcp' : 'api');
  }
}

/** Whether people open the address in a browser, as a page. */
function isForPeople(routes: RouteTable, { address, method, route }: Exchange): boolean {
  const isMarkdown = routes.pageOfMarkdown(address.path) !== null;
  return isRead(method) && !route.isApi && !isMarkdown && !routes.isPicture(address.path);
}

/** The route of an address or of the page whose Markdown version it names. */
function routeAt(routes: RouteTable, { path }: Address) {
  return routes.find(routes.pageOfMarkdown(path) ?? path);
}

function isUnauthenticated(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'unauthenticated';
}

/**
 * Rejects methods that the route does not accept. Paths that begin with `/_` and are not built files belong to the
 * framework and are not public.
 *
 * @throws {DomainError} `not_found` or `method_not_allowed`.
 */
function refuseMethod({ method, address, route: { methods } }: Exchange): void {
  if (methods.length === 0 || address.path.startsWith('/_')) throw nothingAt(address);
  if (!methods.includes(method)) throw new MethodError(method, methods);
}

function answerOptions({ response, route, policy, head }: Exchange): void {
  const allow = ['Allow', route.methods.join(', ')];
  sendEmpty(response, 204, [...head, allow, policy.preflight]);
}

/** Answers requests that must wait for something. */
async function answerLater(
  options: HttpLayerOptions,
  exchange: Exchange,
  pending: Promise<Found> | undefined,
): Promise<void> {
  const { request, response, requestId, address, route, policy, admission, head } = exchange;
  const { client, apiKey } = admission;
  const peer = peerOf(request);
  const upload = new LargeUpload(options.limiter, client);
  let release = () => {};
  try {
    const finished = await pending;
    // An error contains the request ID, so it cannot be prepared.
    if (finished?.status === 200) return sendFinished(request, response, finished, head);
    const url = options.baseUrl + address.target;
    const { bodyLimitBytes } = policy;
    const allowance = { client, bodyLimitBytes, admitLarge: upload.admit };
    const received = await (route.isApi ? receive : receiveForm)(request, url, allowance);
    const { web, refusedBody } = received;
    ({ release } = received);
    const visitor = { requestId, client, peer, apiKey, upload, refusedBody };
    const rendered = await options.render(web, visitor);
    upload.settle(rendered.status);
    upload.leave();
    await received.skip();
    if (!policy.isStreamed || rendered.status !== 200) {
      const isOver = request.complete || isRead(exchange.method);
      const more = isOver ? head : [...head, ['Connection', 'close']];
      return await sendResponse(request, response, rendered, more);
    }
    const failed = (error: unknown) => {
      options.logger.error('request_failed', error, { request: requestId });
    };
    await sendStream({ request, response, client, more: head, failed }, rendered);
  } catch (error) {
    fail(options, exchange, error);
  } finally {
    upload.leave();
    release();
  }
}

function fail(options: HttpLayerOptions, exchange: Exchange, error: unknown): void {
  if (!options.passOn?.(exchange, error)) sendProblem(exchange, error, options);
}

/** Browsers do not use HTTP/1.0, but proxies that omit the client address do. */
function peerOf({ httpVersion, socket }: IncomingMessage): string {
  return httpVersion === '1.0' ? '' : (socket.remoteAddress ?? '');
}

/** @throws {DomainError} `gone` after the operation's last day. */
function refuseGone({ address, policy }: Exchange, now: Date): void {
  if (policy.goneAtMs > now.getTime()) return;
  throw new DomainError('gone', `${address.path} was retired`);
}

/** Pages longer than the public limit are not prepared. */
function wantsLongPage({ address, admission }: Exchange): boolean {
  return admission.apiKey !== null && /[?&]limit=/.test(address.target);
}

/** Answers requests before the first publication. */
export function starting(baseUrl: string): Service {
  const error = new DomainError('service_unavailable', 'The board is starting');
  return { listener: refusing(baseUrl)(error), baseUrl };
}

/** Creates listeners that answer all requests with an error. */
export function refusing(baseUrl: string): (error: DomainError) => Listener {
  const policyOf = routePolicies(ROUTE_TABLE, { baseUrl });
  return (error) =>
    ({ url = '', method = '' }, response, requestId) => {
      const address = readAddress(url, baseUrl) ?? NOWHERE;
      const { headers } = policyOf(address).response(method);
      const problem = problemOf(error, { baseUrl, requestId });
      const more = Object.entries({
        'X-Request-Id': requestId,
        ...problemHeaders(problem, error, baseUrl),
      });
      response.writeHead(problem.status, headers.concat(more.flat())).end(JSON.stringify(problem));
    };
}
