import type { IncomingMessage } from 'node:http';
import { SNAPSHOT_LIMIT_BYTES } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/errors.ts';
import { tooLarge } from './body.ts';

/** No operation takes a larger body than a snapshot. */
const LIMIT = { bodyLimitBytes: SNAPSHOT_LIMIT_BYTES };
/** A body that is too large is read on and thrown away up to here, so that its sender hears why. */
const DRAIN_BYTES = 4 * SNAPSHOT_LIMIT_BYTES;

/** Methods that no web request can have. */
const NO_WEB_METHODS = ['CONNECT', 'TRACE', 'TRACK'];

/**
 * Makes the web request of a node request, with its whole body.
 *
 * @throws {DomainError} `payload_too_large`, `method_not_allowed`, or `not_found` for an address that is none of ours.
 */
export async function receive(request: IncomingMessage, baseUrl: string): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  if (NO_WEB_METHODS.includes(method)) {
    throw new DomainError('method_not_allowed', `${method} is not allowed here`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at] as string, request.rawHeaders[at + 1] as string);
  }
  const bytes = await readBytes(request);
  const hasBody = bytes.length > 0 && method !== 'GET' && method !== 'HEAD';
  const address = addressOf(url, baseUrl);
  return new Request(address, { method, headers, ...(hasBody && { body: bytes }) });
}

/** Only paths are served: `//host/x` and absolute targets would let the client choose the host. */
function addressOf(url: string, baseUrl: string): URL {
  if (!url.startsWith('/') || url.startsWith('//') || url.startsWith('/\\')) {
    throw new DomainError('not_found', 'The request target is not a path');
  }
  return new URL(baseUrl + url);
}

async function readBytes(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > DRAIN_BYTES) break;
    if (length > SNAPSHOT_LIMIT_BYTES) chunks.length = 0;
    else chunks.push(chunk);
  }
  if (length > SNAPSHOT_LIMIT_BYTES) throw tooLarge(LIMIT);
  return Buffer.concat(chunks);
}
