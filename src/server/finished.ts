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
}

/** Below this many bytes compression saves nothing. */
const MIN_COMPRESSED = 512;
/** Quality 5 is where brotli's gain per millisecond ends for pages of this size. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Compresses a reply and tags it. */
export async function finish(
  bytes: Buffer,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Promise<Finished> {
  const identity = tagged(bytes);
  if (bytes.length < MIN_COMPRESSED) {
    return { status, headers, encodings: { identity, gzip: identity, br: identity } };
  }
  const [br, gz] = await Promise.all([
    compressBrotli(bytes, BROTLI),
    compressGzip(bytes, { level: 6 }),
  ]);
  return { status, headers, encodings: { identity, gzip: tagged(gz), br: tagged(br) } };
}

function tagged(bytes: Buffer): FinishedBytes {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  return { etag: `"${digest}"`, bytes };
}
