import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/**
 * Bytes ready to be sent in each encoding, with their ETag. Usually a strong tag of exactly these bytes. A response
 * that contains the time of its computation has one weak tag for all encodings.
 */
export interface PreparedResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  encodings: Readonly<Record<Encoding, PreparedBytes>>;
}

export type Encoding = 'br' | 'gzip' | 'identity';

export interface PreparedBytes {
  etag: string;
  bytes: Buffer;
  head: readonly string[];
  /** The part of the headers that a 304 repeats. */
  headWithoutContent: readonly string[];
}

/** The prepared response for an address, now or soon; undefined if it has none. */
export type Lookup = (address: string) => Found | Promise<Found>;

export type Found = PreparedResponse | undefined;

/** Below this many bytes, compression saves nothing. */
const MIN_COMPRESSED = 512;
/** Pictures and fonts that are already compressed, and archives, which clients unpack themselves. */
const PACKED = /^(?:application\/gzip|image\/(?:png|webp)|font\/woff2)$/;
/** Above quality 5, brotli gains little per millisecond for pages of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export async function prepareResponse(answer: Response): Promise<PreparedResponse> {
  forbidToKeepErrors(answer);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return prepare(bytes, Object.fromEntries(answer.headers), answer.status);
}

export function forbidToKeepErrors({ status, headers }: Response): void {
  if (status >= 400) headers.set('Cache-Control', 'no-store');
}

/** Bytes that are already compressed. */
type Compressed = Partial<Record<Encoding, Buffer | undefined>>;

/** Compresses a response in every encoding that is not given, and tags it, so that it can be sent often. */
export async function prepare(
  bytes: Buffer,
  given: Readonly<Record<string, string>>,
  status = 200,
  compressed: Compressed = {},
): Promise<PreparedResponse> {
  const tagged = taggedWith(bytes, given);
  const { headers } = tagged;
  const identity = tag(bytes, 'identity', tagged);
  if (bytes.length < MIN_COMPRESSED) {
    return { status, headers, encodings: { identity, gzip: identity, br: identity } };
  }
  const [gzip, br] = await Promise.all([
    encodeAndTag(bytes, 'gzip', tagged, compressed),
    encodeAndTag(bytes, 'br', tagged, compressed),
  ]);
  return { status, headers, encodings: { identity, gzip, br } };
}

export async function prepareOnce(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding,
): Promise<PreparedBytes> {
  return encodeAndTag(bytes, encoding, taggedWith(bytes, headers));
}

/** Headers, and the tag for all encodings; null if each encoding has its own. */
interface Tagged {
  headers: Readonly<Record<string, string>>;
  etag: string | null;
}

/** The response's own tag, or that of a page that contains the time of its computation. */
function taggedWith(bytes: Buffer, given: Readonly<Record<string, string>>): Tagged {
  const { ETag, etag = ETag, ...headers } = given;
  const isPage = typeIn(headers).startsWith('text/html');
  return { headers, etag: etag ?? (isPage ? pageTag(bytes) : null) };
}

function typeIn(headers: Readonly<Record<string, string>>): string {
  return new Headers(headers).get('content-type') ?? '';
}

async function encodeAndTag(
  bytes: Buffer,
  encoding: Encoding,
  tagged: Tagged,
  compressed: Compressed = {},
): Promise<PreparedBytes> {
  const known = compressed[encoding];
  if (known) return tag(known, encoding, tagged);
  const encoded = await encode(bytes, typeIn(tagged.headers), encoding);
  return tag(encoded.bytes, encoded.encoding, tagged);
}

/** Compresses bytes of a media type, or returns them unchanged if that saves nothing. */
export async function encode(
  bytes: Buffer,
  type: string,
  encoding: Encoding,
): Promise<{ bytes: Buffer; encoding: Encoding }> {
  if (bytes.length < MIN_COMPRESSED || encoding === 'identity' || PACKED.test(type)) {
    return { bytes, encoding: 'identity' };
  }
  const compressed = await (encoding === 'br'
    ? compressBrotli(bytes, BROTLI)
    : compressGzip(bytes, { level: 6 }));
  if (compressed.length >= bytes.length) return { bytes, encoding: 'identity' };
  return { bytes: compressed, encoding };
}

function tag(bytes: Buffer, encoding: Encoding, { headers, etag: known }: Tagged): PreparedBytes {
  const etag = known ?? strongTag(bytes);
  const all = Object.entries({
    ...headers,
    ETag: etag,
    ...(encoding !== 'identity' && { 'Content-Encoding': encoding }),
    'Content-Length': String(bytes.length),
  });
  const isContent = ([name]: [string, string]) => name.toLowerCase().startsWith('content-');
  const headWithoutContent = all.filter((entry) => !isContent(entry)).flat();
  return { etag, bytes, head: all.flat(), headWithoutContent };
}

/** The elements and members of a page that contain the time of its computation. */
const COMPUTED =
  /<time data-computed\b[^>]*>[^<]*<\/time>|"(?:dateModified|temporalCoverage)":"[^"]*"/g;

const MOMENTS = ['as_of', 'generated_at', 'next_refresh_at'] as const;

export function strongTag(bytes: Uint8Array): string {
  return `"${digestOf(bytes)}"`;
}

/**
 * A weak tag: the same for all representations with the same content, whatever their encoding and the time of their
 * computation.
 */
export function weakTag(content: string): string {
  return `W/"${digestOf(content)}"`;
}

/** The tag of a page that contains the time of its computation; null for any other. */
export function pageTag(html: Buffer): string | null {
  // With latin1, every byte is a character, so all of them count.
  const text = html.toString('latin1');
  const content = withoutMoments(text);
  return content === text ? null : weakTag(content);
}

export function withoutMoments(html: string): string {
  return html.replaceAll(COMPUTED, '');
}

/** The tag of an API result that contains the time of its computation; null for any other. */
export function answerTag(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  if (!MOMENTS.some((name) => name in body)) return null;
  const undated = Object.fromEntries(MOMENTS.map((name) => [name, undefined]));
  return weakTag(JSON.stringify({ ...body, ...undated }));
}

function digestOf(content: Uint8Array | string): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
