/** Compressed bodies: a few kilobytes can become megabytes. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';

const inflate = promisify(gunzip);

/** No snapshot of real counts becomes more than 112 times as large; zeros become a thousand times as large. */
const MAX_RATIO = 200;

/**
 * Inflates a body.
 *
 * @param enterLarge Called once, before more than a usual body is inflated; may throw, and is waited for.
 * @returns Its bytes; null if they pass `limitBytes`, or a ratio that only fabricated bodies have.
 * @throws {Error} if it is not gzip.
 */
export async function inflateBody(
  bytes: Uint8Array<ArrayBuffer>,
  limitBytes: number,
  enterLarge: () => Promise<void>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const usual = Math.min(limitBytes, BODY_LIMIT_BYTES);
  const small = await inflateUpTo(bytes, { maxOutputLength: usual });
  if (small !== null || usual === limitBytes) return small;
  await enterLarge();
  const maxOutputLength = Math.min(limitBytes, Math.max(usual, MAX_RATIO * bytes.length));
  // In one chunk, which another thread fills: the main thread would join several.
  const chunkSize = maxOutputLength + 1;
  return inflateUpTo(bytes, { maxOutputLength, chunkSize });
}

async function inflateUpTo(
  bytes: Uint8Array<ArrayBuffer>,
  options: { maxOutputLength: number; chunkSize?: number },
): Promise<Buffer<ArrayBuffer> | null> {
  try {
    return await inflate(bytes, options);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
