import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Finished } from '../finished.ts';
import type { Logger } from '../logger.ts';
import { problemHeaders, problemOf } from './problem.ts';
import { receive } from './receive.ts';
import { securityHeaders } from './security-headers.ts';
import { sendFinished, sendResponse } from './send.ts';

export interface FrontOptions {
  baseUrl: string;
  logger: Logger;
  /** Finished bytes for an address: there already, or on the way; undefined if it has none. */
  lookup: (address: string) => Finished | Promise<Finished> | undefined;
  /** Answers what is not finished. */
  render: (request: Request, requestId: string, clientAddress: string) => Promise<Response>;
}

/** The front of the process: every answer leaves through here, with its security headers. */
export function createFront(options: FrontOptions): RequestListener {
  const { baseUrl, logger, lookup, render } = options;
  const security = Object.entries(securityHeaders(baseUrl));
  const flatSecurity = security.flat();

  async function serve(request: IncomingMessage, response: ServerResponse, id: string) {
    const web = await receive(request, baseUrl);
    const answer = await render(web, id, request.socket.remoteAddress ?? '');
    await sendResponse(request, response, answer);
  }

  return (request, response) => {
    const home = redirectHome(request, baseUrl);
    const finished = home === null && isRead(request) ? lookup(request.url ?? '/') : undefined;
    if (finished && !(finished instanceof Promise)) {
      return sendFinished(request, response, finished, flatSecurity);
    }
    for (const [name, value] of security) response.setHeader(name, value);
    if (home !== null) return void response.writeHead(307, { Location: home }).end();
    const id = randomUUID();
    response.setHeader('X-Request-Id', id);
    const sent = finished
      ? finished.then((bytes) => sendFinished(request, response, bytes))
      : serve(request, response, id);
    sent.catch((error: unknown) => {
      sendProblem(response, error, { baseUrl, requestId: id, logger });
    });
  };
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Loopback has several names, but cookies and forms belong to one: that of the base URL. */
function redirectHome(request: IncomingMessage, baseUrl: string): string | null {
  const { headers, url = '/' } = request;
  const asked = headers.host ?? '';
  if (!isRead(request) || baseUrl.endsWith(`/${asked}`)) return null;
  const home = new URL(baseUrl);
  const names = ['localhost', '127.0.0.1', '[::1]'];
  const other = names.some((name) => asked === name || asked.startsWith(`${name}:`));
  const elsewhere = names.includes(home.hostname) && other;
  return elsewhere && url.startsWith('/') && !url.startsWith('//') ? baseUrl + url : null;
}

function sendProblem(
  response: ServerResponse,
  error: unknown,
  context: { baseUrl: string; requestId: string; logger: Logger },
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const problem = problemOf(error, context);
  if (problem.status >= 500) {
    context.logger.error('request_failed', error, { request: context.requestId });
  }
  response.writeHead(problem.status, { ...problemHeaders(problem, error), Connection: 'close' });
  response.end(JSON.stringify(problem));
}
