import type { IncomingMessage } from 'node:http';

/** Fields that concern one connection only. Content-Length stays, and node:http frames what has none. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The name of every reader in the Via header. Caches use the names of their machines there, which have no plus sign. */
const PSEUDONYM = 'opbench+reader';

/**
 * Whether a reader passed the request on. Other machines in its way, such as a CDN, have other names.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9110#section-7.6.3 | RFC 9110, section 7.6.3}
 */
export function isFromReader({ headers: { via = '' } }: IncomingMessage): boolean {
  return via.split(',').some((hop) => {
    const [, receivedBy = ''] = hop.trim().split(/\s+/);
    return receivedBy.toLowerCase() === PSEUDONYM;
  });
}

/**
 * The headers with which a request goes to the writer: name, value, name, value. The client's address is added to
 * X-Forwarded-For, where the writer reads it from the right, and this reader to Via.
 *
 * @param host Host and port of the public address.
 */
export function requestHeaders(request: IncomingMessage, host: string): string[] {
  const { rawHeaders, headers, headersDistinct, httpVersion, socket } = request;
  const path = [...(headersDistinct['x-forwarded-for'] ?? []), socket.remoteAddress ?? 'unknown'];
  const own = ['Host', host, 'X-Forwarded-For', path.join(', ')];
  // node:http answers the expectation of this hop itself.
  const passed = endToEnd(rawHeaders, ['host', 'expect', 'x-forwarded-for']);
  const via = ['Via', `${httpVersion} ${PSEUDONYM}`];
  const isChunked = headers['transfer-encoding'] !== undefined;
  return [...own, ...passed, ...via, ...(isChunked ? ['Transfer-Encoding', 'chunked'] : [])];
}

/** The headers of the writer's response for the client: name, value, name, value. */
export function responseHeaders({ rawHeaders }: IncomingMessage): string[] {
  return endToEnd(rawHeaders, []);
}

/** Removes the fields that concern one connection, and those that the Connection field names. */
function endToEnd(raw: readonly string[], more: readonly string[]): string[] {
  const names = raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const dropped = new Set([...HOP_BY_HOP, ...more]);
  names.forEach((name, at) => {
    if (name !== 'connection') return;
    const listed = (raw[2 * at + 1] as string).toLowerCase().split(',');
    listed.forEach((each) => dropped.add(each.trim()));
  });
  // Without its length, a body would be read as another request on the same connection.
  dropped.delete('content-length');
  return raw.filter((_, at) => !dropped.has(names[at >> 1] as string));
}
