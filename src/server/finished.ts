import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Bytes ready to be sent, in each encoding, with a strong tag of exactly these bytes. */
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
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<Finished> {
  const identity = tag(bytes, 'identity', headers);
  if (bytes.length < MIN_COMPRESSED) {
    return { status, headers, encodings: { identity, gzip: identity, br: identity } };
  }
  const [gzip, br] = await Promise.all([
    finishOnce(bytes, headers, 'gzip'),
    finishOnce(bytes, headers, 'br'),
  ]);
  return { status, headers, encodings: { identity, gzip, br } };
}

/** Compresses a reply in one way and tags it, to be sent once. */
export async function finishOnce(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  encoding: Encoding,
): Promise<FinishedBytes> {
  const type = new Headers(headers).get('content-type') ?? '';
  const encoded = await encode(bytes, type, encoding);
  return tag(encoded.bytes, encoded.encoding, headers);
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

function tag(
  bytes: Buffer,
  encoding: Encoding,
  headers: Readonly<Record<string, string>>,
): FinishedBytes {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const etag = `"${digest}"`;
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
