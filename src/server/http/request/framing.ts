/**
 * Requests that node:http reads and that two servers in a row could understand in two ways.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9112#section-6.1 | RFC 9112, section 6.1}, and 2.3 and 3.2
 * @module
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { DomainError } from '#core/domain/text/errors.ts';

/** Why a request's head is refused; null if it is not. */
export function framingRefusal(request: IncomingMessage): DomainError | null {
  const { httpVersion, headers, headersDistinct } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return new DomainError('http_version_unsupported', `This is HTTP/1.1, not HTTP/${httpVersion}`);
  }
  if ((headersDistinct.host?.length ?? 0) > 1) {
    return new DomainError('request_malformed', 'The request has more than one Host field');
  }
  const coding = headers['transfer-encoding'];
  return coding === undefined ? null : codingRefusal(coding.toLowerCase(), httpVersion);
}

function codingRefusal(coding: string, httpVersion: string): DomainError | null {
  if (httpVersion === '1.0') {
    return new DomainError('request_malformed', 'HTTP/1.0 has no Transfer-Encoding');
  }
  if (coding === 'chunked') return null;
  const codings = coding.split(',').map((text) => text.trim());
  const isOther = codings.at(-1) === 'chunked' && !codings.slice(0, -1).includes('chunked');
  if (isOther && codings.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))) {
    const detail = `The transfer coding "${codings[0]}" is not known; send chunked`;
    return new DomainError('transfer_coding_unknown', detail);
  }
  return new DomainError('request_malformed', 'The Transfer-Encoding is not "chunked"');
}

/**
 * Ends a connection that its client resets or lets stall. node:http does so itself, but not any more once it hands
 * a connection over (CONNECT, Upgrade): an error that nobody hears of would end the process.
 *
 * @returns Ends the watch.
 */
export function watchOver(socket: Duplex): () => void {
  const end = () => void socket.destroy();
  socket.on('error', end).on('timeout', end);
  return () => void socket.off('error', end).off('timeout', end);
}

/** A connection, as node:http keeps it: with the answer that is under way. */
type Connection = Duplex & { _httpMessage?: NodeJS.EventEmitter | null };

/**
 * Lets a connection go on in HTTP/1.1 after a request that wished for another protocol. node:http stops to read
 * at such a request, so it is put back without the wish, before what followed it.
 *
 * @param rest What was read after its head.
 * @param goOn Reads the connection from the beginning.
 */
export function ignoreUpgrade(
  request: IncomingMessage,
  { socket, rest }: { socket: Connection; rest: Uint8Array },
  goOn: (socket: Duplex) => void,
): void {
  const unwatch = watchOver(socket);
  // Answers leave in the order of their requests.
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
