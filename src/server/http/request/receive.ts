import type { IncomingMessage } from 'node:http';
import { DomainError } from '#core/domain/text/errors.ts';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { readBy, tooLarge } from './body.ts';
import { HeldBody } from './held-body.ts';
import { isRead } from '../routes/methods.ts';

/** A body that is refused is read on and thrown away up to here, so that its sender hears why. */
const DRAIN_BYTES = 16 * 1024 * 1024;

/** A web request, and why its body was left out, if it was. */
interface Received {
  web: Request;
  refusedBody: DomainError | null;
  /** To be called with the answer at hand: reads and throws away a body that nobody asked for. */
  skip: () => Promise<void>;
  /** To be called when it is answered: until then its body counts as held. */
  release: () => void;
}

/** Whose body it is, and how large it may be. */
interface Allowance {
  client: string;
  bodyLimitBytes: number;
  /** Asked before more than a usual body is read; may throw. */
  admitLarge: () => void;
}

/**
 * Makes the web request of a node request, with its whole body; one that may be large is read when it is
 * asked for, so that nothing of it is held of whom the operation does not let in. HEAD becomes GET: its
 * answer must have the headers of the body that is then not sent.
 *
 * @param url The address that it is for; the request's own Host header is not asked.
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

/** Where bodies are held that are thrown away. */
const NOWHERE = { append: () => true, release: () => undefined };

/** Whether a body may pass the size of a usual one without being refused for it. */
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
      throw new DomainError('request_malformed', 'The body did not arrive to its end');
    });
    return (await reading).bytes;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        controller.enqueue(await read());
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const large = streamed(web, body);
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

/** The same for a page, which says itself that its form is too large, if that arrived to its end. */
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
    const detail = `What was sent is larger than ${sizeText(allowance.bodyLimitBytes)}`;
    const refusedBody = new DomainError('payload_too_large', detail);
    const web = withoutBody(request, url);
    return { web, refusedBody, skip: nothing, release: () => undefined };
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

function withBody(web: Request, bytes: Buffer<ArrayBuffer>): Request {
  if (bytes.length === 0 || isRead(web.method)) return web;
  if (bytes.length <= BODY_LIMIT_BYTES) return new Request(web, { body: bytes });
  const large = streamed(web, streamOf(bytes));
  readBy(large, () => Promise.resolve(bytes));
  return large;
}

/** A body that is a stream needs `duplex`, which the type does not have. */
function streamed(web: Request, body: ReadableStream<Uint8Array>): Request {
  const init: RequestInit & { duplex: 'half' } = { body, duplex: 'half' };
  return new Request(web, init);
}

/** What is given as bytes is copied twice. */
function streamOf(bytes: Buffer<ArrayBuffer>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
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

/** Reads a body to its end, and returns why it is refused, if so. */
async function fill(
  held: Pick<HeldBody, 'append' | 'release'>,
  request: IncomingMessage,
  { bodyLimitBytes, admitLarge }: Allowance,
): Promise<DomainError | null> {
  let length = 0;
  let refusal: DomainError | null = null;
  // Whoever is refused in the middle is answered, on the connection that would else be destroyed.
  const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > DRAIN_BYTES) break;
    if (length > BODY_LIMIT_BYTES) admitLarge();
    if (length > bodyLimitBytes) refusal ??= tooLarge({ bodyLimitBytes });
    else if (!refusal && !held.append(chunk))
      refusal = new DomainError('service_unavailable', 'Too many uploads are under way');
    if (refusal) held.release();
  }
  return refusal;
}
