import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Encoding, type Finished, finish } from '../finished.ts';

/**
 * Sends finished bytes in the best encoding that the client takes, or 304 if it has them. All
 * headers go out as one flat list (name, value, name, value): one by one they take twice the time.
 *
 * @param more Headers besides those of the bytes.
 */
export function sendFinished(
  request: IncomingMessage,
  response: ServerResponse,
  finished: Finished,
  more: readonly string[] = [],
): void {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  const { etag, bytes, head, headWithoutContent } = finished.encodings[encoding];
  if (holds(request.headers['if-none-match'], etag)) {
    response.writeHead(304, more.concat(headWithoutContent)).end();
    return;
  }
  response.writeHead(finished.status, more.concat(head));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** Sends what a page or endpoint answered; what every client may share is compressed and tagged. */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  if (isShared(request, answer)) {
    sendFinished(request, response, await finishResponse(answer));
    return;
  }
  forbidToKeepErrors(answer);
  const bytes = Buffer.from(await answer.arrayBuffer());
  for (const [name, value] of answer.headers) {
    if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(answer.status).end(request.method === 'HEAD' ? undefined : bytes);
}

/** Turns an answer into finished bytes. */
export async function finishResponse(answer: Response): Promise<Finished> {
  forbidToKeepErrors(answer);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return finish(bytes, Object.fromEntries(answer.headers), answer.status);
}

function forbidToKeepErrors({ status, headers }: Response): void {
  if (status >= 400) headers.set('Cache-Control', 'no-store');
}

function isShared({ method }: IncomingMessage, answer: Response): boolean {
  const cacheable = answer.headers.get('cache-control')?.startsWith('public') ?? false;
  return cacheable && answer.status === 200 && (method === 'GET' || method === 'HEAD');
}

/** Brotli, else gzip, where the client lists them without forbidding them. */
function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const text = String(accepted ?? '');
  if (/\bbr\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(text)) return 'br';
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(text)) return 'gzip';
  return 'identity';
}

/**
 * Whether an If-None-Match field names the tag.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 | RFC 9110, section 13.1.2}
 */
function holds(field: string | undefined, etag: string): boolean {
  if (field === undefined) return false;
  if (field.trim() === '*') return true;
  return field.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
