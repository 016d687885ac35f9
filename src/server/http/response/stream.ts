import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { DomainError } from '#core/domain/text/errors.ts';
import { type Head, holds, setAnswerHeaders, takesGzip } from './send.ts';

/** A client that reads nothing for this long is considered gone. */
const STALLED_MS = 60_000;
/** The most streamed responses that one client may receive at a time. */
const MAX_OF_CLIENT = 4;
/** Takes half the time of the default level, for a tenth more bytes. */
const GZIP = { level: 3 };

/** How many streamed responses each client is receiving. */
const underWay = new Map<string, number>();

interface Streaming {
  request: IncomingMessage;
  response: ServerResponse;
  /** The key by which the client's streamed responses are counted. */
  client: string;
  /** Headers in addition to the response's own. */
  more: Head;
  /** Called with the error that ended a response early, unless the client left. */
  failed: (error: unknown) => void;
}

/**
 * Sends a response while it is produced, no faster than the client reads it. Stops when the client leaves.
 *
 * @throws {DomainError} `quota_exceeded` if the client is receiving too many of them.
 */
export async function sendStream(streaming: Streaming, answer: Response): Promise<void> {
  const { request, response, client, more } = streaming;
  const { body } = answer;
  const isHeld = holds(request.headers['if-none-match'], answer.headers.get('etag'));
  if (isHeld) {
    setAnswerHeaders(response, answer, more);
    response.removeHeader('Content-Length');
    response.writeHead(304).end();
    await body?.cancel();
    return;
  }
  if (!body || request.method === 'HEAD') {
    setAnswerHeaders(response, answer, more);
    response.writeHead(answer.status).end();
    await body?.cancel();
    return;
  }
  const others = underWay.get(client) ?? 0;
  if (others >= MAX_OF_CLIENT) {
    await body.cancel();
    const detail = `This client already has ${others} long downloads in progress. Wait until one of them ends`;
    throw new DomainError('quota_exceeded', detail);
  }
  underWay.set(client, others + 1);
  try {
    await send(streaming, answer, body as ReadableStream);
  } finally {
    const left = (underWay.get(client) ?? 1) - 1;
    if (left > 0) underWay.set(client, left);
    else underWay.delete(client);
  }
}

async function send(
  { request, response, more, failed }: Streaming,
  answer: Response,
  body: ReadableStream,
): Promise<void> {
  setAnswerHeaders(response, answer, more);
  // A response with a stated length must not be compressed.
  const isPacked = takesGzip(request) && !answer.headers.has('content-length');
  if (isPacked) response.setHeader('Content-Encoding', 'gzip');
  response.writeHead(answer.status);
  response.setTimeout(STALLED_MS, () => response.destroy());
  const source = Readable.fromWeb(body, { highWaterMark: 1 });
  try {
    if (isPacked) await pipeline(source, createGzip(GZIP), response);
    else await pipeline(source, response);
  } catch (error) {
    if (!isGone(error)) failed(error);
  }
}

/** Whether the client left before the end, which is not a fault. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(code));
}
