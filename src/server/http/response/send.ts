import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type Encoding,
  type PreparedResponse,
  type PreparedBytes,
  prepareOnce,
  forbidToKeepErrors,
} from './prepared-response.ts';
import { isRead } from '../routes/methods.ts';

/** The parts of a response's headers, each a flat list: name, value, name, value. */
export type Head = readonly (readonly string[])[];

/** Joins headers to one flat list for node:http. Setting them one by one takes twice the time. */
export function flatten(head: Head, more: readonly string[]): string[] {
  return ([] as string[]).concat(...head, more);
}

/**
 * Sends prepared bytes in the best encoding that the client accepts, or 304 if it already has them.
 *
 * @param more Headers in addition to the response's own.
 */
export function sendFinished(
  request: IncomingMessage,
  response: ServerResponse,
  { status, encodings }: Pick<PreparedResponse, 'encodings' | 'status'>,
  more: Head = [],
): void {
  const encoding = chooseEncoding(request.headers['accept-encoding']);
  sendBytes(request, response, encodings[encoding], { status, more });
}

function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  { etag, bytes, head, headWithoutContent }: PreparedBytes,
  { status, more }: { status: number; more: Head },
): void {
  if (status === 200 && holds(request.headers['if-none-match'], etag)) {
    response.writeHead(304, flatten(more, headWithoutContent)).end();
    return;
  }
  response.writeHead(status, flatten(more, head));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/**
 * Sends the response of a page or endpoint. Cacheable responses are compressed and tagged.
 *
 * @param more Headers in addition to the response's own. The response's own take precedence, except Link.
 */
export async function sendResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  more: Head = [],
): Promise<void> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (mayBeKept(request, answer)) {
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const finished = await prepareOnce(bytes, Object.fromEntries(answer.headers), encoding);
    sendBytes(request, response, finished, { status: answer.status, more });
    return;
  }
  setAnswerHeaders(response, answer, more);
  response.setHeader('Content-Length', bytes.length);
  response.writeHead(answer.status).end(request.method === 'HEAD' ? undefined : bytes);
}

/** Sets a response's headers, and additional ones. The response's own take precedence, except Link. */
export function setAnswerHeaders(response: ServerResponse, answer: Response, more: Head): void {
  forbidToKeepErrors(answer);
  setHeaders(response, flatten(more, []));
  for (const [name, value] of answer.headers) {
    if (name === 'link') response.appendHeader(name, value);
    else if (name !== 'set-cookie') response.setHeader(name, value);
  }
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader('Set-Cookie', cookies);
}

/** Sets headers from a flat list: name, value, name, value. */
export function setHeaders(response: ServerResponse, flat: readonly string[]): void {
  for (let at = 0; at + 1 < flat.length; at += 2) {
    response.setHeader(flat[at] as string, flat[at + 1] as string);
  }
}

function mayBeKept({ method }: IncomingMessage, answer: Response): boolean {
  const isKept = /^(?:private|public),/.test(answer.headers.get('cache-control') ?? '');
  return isKept && answer.status === 200 && isRead(method ?? '');
}

/** Whether the client accepts gzip. */
export function takesGzip({ headers }: IncomingMessage): boolean {
  return takes(String(headers['accept-encoding'] ?? ''), 'gzip');
}

/** Brotli, otherwise gzip, if the client accepts it. */
export function chooseEncoding(accepted: string | string[] | null | undefined): Encoding {
  const text = String(accepted ?? '');
  if (takes(text, 'br')) return 'br';
  return takes(text, 'gzip') ? 'gzip' : 'identity';
}

/**
 * Whether an Accept-Encoding field lists a coding and does not forbid it. A single pattern for the field would
 * backtrack.
 */
function takes(accepted: string, coding: string): boolean {
  return accepted.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => FORBIDDEN.test(parameter));
  });
}

const FORBIDDEN = /^q=0(?:\.0*)?$/;

/**
 * Whether an If-None-Match field contains the tag.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2 | RFC 9110, section 13.1.2}
 */
export function holds(field: string | undefined, etag: string | null): boolean {
  if (field === undefined || etag === null) return false;
  if (field.trim() === '*') return true;
  return field.split(',').some((tag) => opaque(tag.trim()) === opaque(etag));
}

/** Removes the mark of a weak tag, which makes no difference here. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '');
}
