/** Responses that are sent without a page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Resource } from '#core/domain/account/oauth.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { HttpLayerOptions } from '../http-layer.ts';
import { logFailedRequest, problemHeaders, problemOf } from './problem.ts';
import { type Head, flatten, setHeaders } from './send.ts';

interface Failed {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  head: Head;
}

export function sendEmpty(response: ServerResponse, status: number, head: Head): void {
  const length = status === 204 ? [] : ['Content-Length', '0'];
  response.writeHead(status, flatten(head, length)).end();
}

/**
 * Sends an error as problem details.
 *
 * @param resource For which a token would help.
 */
export function sendProblem(
  { request, response, requestId, head }: Failed,
  error: unknown,
  { baseUrl, logger }: Pick<HttpLayerOptions, 'baseUrl' | 'logger'>,
  resource: Resource = 'api',
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = problemOf(error, { baseUrl, requestId });
  if (problem.status >= 500 && !(error instanceof DomainError)) {
    logFailedRequest(logger, error, requestId);
  }
  const text = JSON.stringify(problem);
  const own = Object.entries(problemHeaders(problem, error, baseUrl, resource)).flat();
  setHeaders(response, flatten(head, own));
  response.setHeader('Content-Length', Buffer.byteLength(text));
  if (hasBody(request)) response.setHeader('Connection', 'close');
  response.writeHead(problem.status).end(request.method === 'HEAD' ? undefined : text);
}

/** A body that was not read completely must not be taken for the next request. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}
