/**
 * Rejects requests that node:http accepts, but that two servers in a row could interpret differently.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-6.1 | RFC 9112, section 6.1}, and 2.3 and 3.2
 * @module
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '#core/domain/text/errors.ts';

/** Why a request's head is rejected; null if it is valid. */
export function framingRefusal(request: IncomingMessage): DomainError | null {
  const { httpVersion, headers, headersDistinct } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new DomainError(
      'http_version_unsupported',
      `HTTP/${httpVersion} is not supported. Use HTTP/1.1`,
    );
  }
  if ((headersDistinct.host?.length ?? 0) > 1) {
    return new DomainError('request_malformed', 'The request has more than one Host field');
  }
  const coding = headers['transfer-encoding'];
  return coding === undefined ? null : codingRefusal(coding.toLowerCase(), httpVersion);
}

function codingRefusal(coding: string, httpVersion: string): DomainError | null {
  if (httpVersion === '1.0') {
    return new DomainError(
      'request_malformed',
      'HTTP/1.0 requests cannot have a Transfer-Encoding',
    );
  }
  if (coding === 'chunked') return null;
  const codings = coding.split(',').map((text) => text.trim());
  const isOther = codings.at(-1) === 'chunked' && !codings.slice(0, -1).includes('chunked');
  if (isOther && codings.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))) {
    const detail = `The transfer coding "${codings[0]}" is not supported. Use chunked`;
    return new DomainError('transfer_coding_unknown', detail);
  }
  return new DomainError('request_malformed', 'The Transfer-Encoding is not "chunked"');
}

/**
 * Ends a connection that its client resets or lets stall. node:http stops watching a connection that it hands over
 * (CONNECT, Upgrade), and an unhandled error would end the process.
 *
 * @returns Ends the watch.
 */
export function watchOver(socket: Duplex): () => void {
  const end = () => void socket.destroy();
  socket.on('error', end).on('timeout', end);
  return () => void socket.off('error', end).off('timeout', end);
}

/** A connection as node:http extends it, with the response in progress. */
type Connection = Duplex & { _httpMessage?: NodeJS.EventEmitter | null };

/**
 * Continues in HTTP/1.1 after a request for another protocol. node:http stops reading at such a request. So the
 * request is put back without its Upgrade field, in front of the bytes that followed it.
 *
 * @param rest The bytes that were read after its head.
 * @param goOn Reads the connection from the beginning.
 */
export function ignoreUpgrade(
  request: IncomingMessage,
  { socket, rest }: { socket: Connection; rest: Uint8Array },
  goOn: (socket: Duplex) => void,
): void {
  const unwatch = watchOver(socket);
  // Responses are sent in the order of their requests.
  const { _httpMessage: earlier } = socket;
  if (earlier) {
    earlier.once('finish', () => {
      ignoreUpgrade(request, { socket, rest }, goOn);
      unwatch();
    });
    return;
  }
  if (socket.destroyed) return;
  socket.unshift(Buffer.concat([headWithoutUpgrade(request), rest]));
  goOn(socket);
  unwatch();
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
