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

/** A web request, and why its body was left out, if it was. */
interface Received {
  web: Request;
  refusedBody: DomainError | null;
}

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
): Promise<Received> {
  const bytes = await readBytes(request, bodyLimitBytes);
  const web = withoutBody(request, url);
  const isEmpty = bytes.length === 0 || isRead(web.method);
  return { web: isEmpty ? web : new Request(web, { body: bytes }), refusedBody: null };
}

/** The same for a page, which says itself that its form is too large, if that arrived to its end. */
export async function receiveForm(
  request: IncomingMessage,
  url: string,
  bodyLimitBytes: number,
): Promise<Received> {
  try {
    return await receive(request, url, bodyLimitBytes);
  } catch (error) {
    const isTooLarge = error instanceof DomainError && error.code === 'payload_too_large';
    if (!isTooLarge || !request.complete) throw error;
    const detail = `What was sent is larger than ${sizeText(bodyLimitBytes)}`;
    const refusedBody = new DomainError('payload_too_large', detail);
    return { web: withoutBody(request, url), refusedBody };
  }
}

/** A size in words, rounded down. */
function sizeText(bytes: number): string {
  const kib = Math.floor(bytes / 1024);
  return kib < 1024 ? `${kib} KiB` : `${Math.floor(kib / 1024)} MiB`;
}

function withoutBody({ method = 'GET', rawHeaders }: IncomingMessage, url: string): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  }
  return new Request(url, { method: isRead(method) ? 'GET' : method, headers });
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
