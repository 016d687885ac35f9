import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { createGzip } from 'node:zlib';
import { DomainError } from '#core/domain/text/errors.ts';
import { type Head, holds, setAnswerHeaders, takesGzip } from './send.ts';

/** A client that takes nothing for so long is taken to be gone. */
const STALLED_MS = 60_000;
/** Long answers that one client may have under way. */
const MAX_OF_CLIENT = 4;
/** Half the time of the usual level, for a tenth more bytes. */
const GZIP = { level: 3 };

/** How many long answers each client has under way. */
const underWay = new Map<string, number>();

interface Streaming {
  request: IncomingMessage;
  response: ServerResponse;
  /** What the client's long answers are counted by. */
  client: string;
  /** Headers besides those of the answer. */
  more: Head;
  /** Hears why an answer broke off, unless the client went. */
  failed: (error: unknown) => void;
}

/**
 * Sends an answer while it is made, no faster than the client takes it; making it ends when the
 * client goes.
 *
 * @throws {DomainError} `quota_exceeded` if the client has too many of them under way.
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
    const detail = `This client has ${others} long answers under way; let one of them end first`;
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
  // What says how long it is must stay so.
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

/** Whether the client went before the end, which is nobody's fault. */
function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(code));
}
