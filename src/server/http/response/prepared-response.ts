import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { pageTag, strongTag } from '../entity-tag.ts';

/**
 * Bytes ready to be sent, in each encoding, and their tag: a strong one of exactly these bytes, or one weak tag for all
 * encodings of what says when it was computed.
 */
export interface Finished {
  status: number;
  headers: Readonly<Record<string, string>>;
  encodings: Readonly<Record<Encoding, FinishedBytes>>;
}

export type Encoding = 'br' | 'gzip' | 'identity';

export interface FinishedBytes {
  etag: string;
  bytes: Buffer;
  /** Their headers: name, value, name, value. */
  head: readonly string[];
  /** Those of them that stand in a 304. */
  headWithoutContent: readonly string[];
}

/** Below this many bytes compression saves nothing. */
const MIN_COMPRESSED = 512;
/** Pictures and fonts that are compressed already, and archives, which clients unpack by themselves. */
const PACKED = /^(?:application\/gzip|image\/(?:png|webp)|font\/woff2)$/;
/** Quality 5 is where brotli's gain per millisecond ends for pages of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Turns an answer into finished bytes. */
export async function finishResponse(answer: Response): Promise<Finished> {
  forbidToKeepErrors(answer);
  const bytes = Buffer.from(await answer.arrayBuffer());
  return finish(bytes, Object.fromEntries(answer.headers), answer.status);
}

/** No error page is ever kept. */
export function forbidToKeepErrors({ status, headers }: Response): void {
  if (status >= 400) headers.set('Cache-Control', 'no-store');
}

/** Compresses a reply in every way and tags it, to be sent often. */
export async function finish(
  bytes: Buffer,
  given: Readonly<Record<string, string>>,
  status = 200,
): Promise<Finished> {
  const tagged = taggedWith(bytes, given);
  const { headers } = tagged;
  const identity = tag(bytes, 'identity', tagged);
  if (bytes.length < MIN_COMPRESSED) {
    return { status, headers, encodings: { identity, gzip: identity, br: identity } };
  }
  const [gzip, br] = await Promise.all([
    encodeAndTag(bytes, 'gzip', tagged),
    encodeAndTag(bytes, 'br', tagged),
  ]);
  return { status, headers, encodings: { identity, gzip, br } };
}

/** Compresses a reply in one way and tags it, to be sent once. */
export async function finishOnce(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding,
): Promise<FinishedBytes> {
  return encodeAndTag(bytes, encoding, taggedWith(bytes, headers));
}

/** Headers, and the tag of all encodings; null where each has one of its own. */
interface Tagged {
  headers: Readonly<Record<string, string>>;
  etag: string | null;
}

/** The tag that the answer came with, or that of a page that says when it was computed. */
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
): Promise<FinishedBytes> {
  const encoded = await encode(bytes, typeIn(tagged.headers), encoding);
  return tag(encoded.bytes, encoded.encoding, tagged);
}

/** Bytes of a media type compressed, or as they are where that saves nothing. */
export async function encode(
  bytes: Buffer,
  type: string,
  encoding: Encoding,
): Promise<{ bytes: Buffer; encoding: Encoding }> {
  if (bytes.length < MIN_COMPRESSED || encoding === 'identity' || PACKED.test(type)) {
    return { bytes, encoding: 'identity' };
  }
  const compressed =
    encoding === 'br' ? compressBrotli(bytes, BROTLI) : compressGzip(bytes, { level: 6 });
  return { bytes: await compressed, encoding };
}

function tag(bytes: Buffer, encoding: Encoding, { headers, etag: known }: Tagged): FinishedBytes {
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
