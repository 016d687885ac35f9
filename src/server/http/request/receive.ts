import type { IncomingMessage } from 'node:http';
import { DomainError } from '#core/domain/text/errors.ts';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { readBy, tooLarge } from './body.ts';
import { HeldBody } from './held-body.ts';
import { isRead } from '../routes/methods.ts';

/** How much of a rejected body is read and discarded, so that its sender can receive the error. */
const DRAIN_BYTES = 16 * 1024 * 1024;

/** A web request, and why its body was left out, if it was. */
interface Received {
  web: Request;
  refusedBody: DomainError | null;
  /** Call it when the response is ready: reads and discards a body that was not read. */
  skip: () => Promise<void>;
  /** Call it when the response was sent. Until then the body counts as held. */
  release: () => void;
}

/** The client that sends the body, and the size limit. */
interface Allowance {
  client: string;
  bodyLimitBytes: number;
  /** Called before more than a usual body is read; may throw. */
  admitLarge: () => void;
}

/**
 * Converts a node request, with its whole body, to a web request. A body that may be large is read only on demand, so
 * that none of it is held if the operation rejects the caller. HEAD becomes GET, because its response needs the
 * headers of the body that is then left out.
 *
 * @param url The URL of the request; its Host header is ignored.
 * @throws {DomainError} `payload_too_large` or `service_unavailable`.
 */
export async function receive(
  request: IncomingMessage,
  url: string,
  allowance: Allowance,
): Promise<Received> {
  const web = withoutBody(request, url);
  const isLate = mayBeLarge(request, allowance) && !isRead(web.method);
  return isLate ? receiveLater(request, web, allowance) : receiveWhole(request, web, allowance);
}

async function receiveWhole(request: IncomingMessage, web: Request, allowance: Allowance) {
  const held = await readBytes(request, allowance);
  const release = () => held.release();
  return { web: withBody(web, held.bytes), refusedBody: null, skip: nothing, release };
}

async function nothing(): Promise<void> {}

/** Discards a body. */
const NOWHERE = { append: () => true, release: () => undefined };

/** Whether a body may exceed the usual size. */
function mayBeLarge({ headers }: IncomingMessage, { bodyLimitBytes }: Allowance): boolean {
  const declared = Number(headers['content-length'] ?? bodyLimitBytes);
  const isThere =
    headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return isThere && declared > BODY_LIMIT_BYTES && declared <= bodyLimitBytes;
}

function receiveLater(request: IncomingMessage, web: Request, allowance: Allowance): Received {
  if (Number(request.headers['content-length'] ?? 0) > 0) allowance.admitLarge();
  let reading: Promise<HeldBody> | null = null;
  const read = async () => {
    reading ??= readBytes(request, allowance).catch((error: unknown) => {
      if (error instanceof DomainError) throw error;
      throw new DomainError('request_malformed', 'The body is incomplete');
    });
    return (await reading).bytes;
  };
  const large = streamed(web, streamOf(read));
  readBy(large, read);
  return {
    web: large,
    refusedBody: null,
    skip: async () => {
      if (!reading) await fill(NOWHERE, request, allowance);
    },
    release: () =>
      void reading?.then(
        (held) => held.release(),
        () => undefined,
      ),
  };
}

/** The same for a page. If the form arrived completely but is too large, the page itself shows the error. */
export async function receiveForm(
  request: IncomingMessage,
  url: string,
  allowance: Allowance,
): Promise<Received> {
  try {
    return await receiveWhole(request, withoutBody(request, url), allowance);
  } catch (error) {
    const isTooLarge = error instanceof DomainError && error.code === 'payload_too_large';
    if (!isTooLarge || !request.complete) throw error;
    const detail = `The form is larger than ${sizeText(allowance.bodyLimitBytes)}`;
    const refusedBody = new DomainError('payload_too_large', detail);
    const web = withoutBody(request, url);
    return { web, refusedBody, skip: nothing, release: () => undefined };
  }
}

/** Formats a size, rounded down. */
function sizeText(bytes: number): string {
  const kib = Math.floor(bytes / 1024);
  return kib < 1024 ? `${kib} KiB` : `${Math.floor(kib / 1024)} MiB`;
}

/** A node request without its body, as a web request. HEAD becomes GET. */
export function withoutBody({ method = 'GET', rawHeaders }: IncomingMessage, url: string): Request {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
  }
  return new Request(url, { method: isRead(method) ? 'GET' : method, headers });
}

function withBody(web: Request, bytes: Buffer<ArrayBuffer>): Request {
  if (bytes.length === 0 || isRead(web.method)) return web;
  const read = () => Promise.resolve(bytes);
  const whole = streamed(web, streamOf(read));
  readBy(whole, read);
  return whole;
}

/** Request bodies that are streams need `duplex`, which is missing in the type. */
function streamed(web: Request, body: ReadableStream<Uint8Array>): Request {
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
  return new Request(web, init);
}

/** A stream that reads nothing in advance. A Request would copy bytes twice. */
function streamOf(read: () => Promise<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        controller.enqueue(await read());
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function readBytes(request: IncomingMessage, allowance: Allowance): Promise<HeldBody> {
  const { client, bodyLimitBytes, admitLarge } = allowance;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > BODY_LIMIT_BYTES) admitLarge();
  const held = new HeldBody(client, Math.min(declared || bodyLimitBytes, bodyLimitBytes));
  try {
    const refusal = await fill(held, request, allowance);
    if (refusal) throw refusal;
    return held;
  } catch (error) {
    held.release();
    throw error;
  }
}

/** Reads a body to its end. Returns the error, if any. */
async function fill(
  held: Pick<HeldBody, 'append' | 'release'>,
  request: IncomingMessage,
  { bodyLimitBytes, admitLarge }: Allowance,
): Promise<DomainError | null> {
  let length = 0;
  let refusal: DomainError | null = null;
  // Keeps the connection open after an error, so that the client receives the response.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > DRAIN_BYTES) break;
    if (length > BODY_LIMIT_BYTES) admitLarge();
    if (length > bodyLimitBytes) refusal ??= tooLarge({ bodyLimitBytes });
    else if (!refusal && !held.append(chunk))
      refusal = new DomainError('service_unavailable', 'Too many uploads are in progress');
    if (refusal) held.release();
  }
  return refusal;
}
