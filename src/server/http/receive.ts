import type { IncomingMessage } from 'node:http';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { submitSnapshot } from '#core/contract/snapshots.ts';
import { DomainError } from '#core/domain/errors.ts';
import { tooLarge } from './body.ts';
import { refuseMethod } from './methods.ts';

/** A body that is too large is read on and thrown away up to here, so that its sender hears why. */
const DRAIN_BYTES = 16 * 1024 * 1024;
/** What all bodies together may hold while they are on their way in. */
const MAX_BUFFERED_BYTES = 128 * 1024 * 1024;

/** Bytes of unfinished bodies in memory. */
let bufferedBytes = 0;

/**
 * Makes the web request of a node request, with its whole body. HEAD becomes GET: its answer must
 * have the headers of the body that is then not sent.
 *
 * @throws {DomainError} `payload_too_large`, `method_not_allowed`, `service_unavailable`, or
 *   `not_found` for an address that is none of ours.
 */
export async function receive(request: IncomingMessage, baseUrl: string): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  const address = addressOf(url, baseUrl);
  refuseMethod(method, address.pathname);
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at] as string, request.rawHeaders[at + 1] as string);
  }
  const bytes = await readBytes(request, limitOf(method, address.pathname));
  const read = method === 'GET' || method === 'HEAD';
  if (read) return new Request(address, { method: 'GET', headers });
  return new Request(address, { method, headers, ...(bytes.length > 0 && { body: bytes }) });
}

/**
 * Only paths are served: `//host/x` and absolute targets would let the client choose the host. What
 * begins with `/_` is a built file or the framework's own, which nobody may call.
 */
function addressOf(url: string, baseUrl: string): URL {
  if (!url.startsWith('/') || /^\/[/\\_]/.test(url)) {
    throw new DomainError('not_found', 'There is nothing at this address');
  }
  return new URL(baseUrl + url);
}

function limitOf(method: string, path: string): number {
  const isSnapshot = method === submitSnapshot.method && path === submitSnapshot.path;
  return isSnapshot ? submitSnapshot.bodyLimitBytes : BODY_LIMIT_BYTES;
}

async function readBytes(
  request: IncomingMessage,
  bodyLimitBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let kept = 0;
  let length = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > DRAIN_BYTES) break;
      if (length > bodyLimitBytes) continue;
      chunks.push(chunk);
      kept += chunk.length;
      bufferedBytes += chunk.length;
      if (bufferedBytes > MAX_BUFFERED_BYTES) {
        throw new DomainError('service_unavailable', 'Too many uploads are under way');
      }
    }
  } finally {
    bufferedBytes -= kept;
  }
  if (length > bodyLimitBytes) throw tooLarge({ bodyLimitBytes });
  return Buffer.concat(chunks);
}
