import type { IncomingMessage } from 'node:http';
import { DomainError } from '#core/domain/errors.ts';
import { tooLarge } from './body.ts';
import { isRead } from './methods.ts';

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
 * @param url The address that it is for; the request's own Host header is not asked.
 * @throws {DomainError} `payload_too_large` or `service_unavailable`.
 */
export async function receive(
  request: IncomingMessage,
  url: string,
  bodyLimitBytes: number,
): Promise<Request> {
  const { method = 'GET' } = request;
  const headers = new Headers();
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at] as string, request.rawHeaders[at + 1] as string);
  }
  const bytes = await readBytes(request, bodyLimitBytes);
  if (isRead(method)) return new Request(url, { method: 'GET', headers });
  return new Request(url, { method, headers, ...(bytes.length > 0 && { body: bytes }) });
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
