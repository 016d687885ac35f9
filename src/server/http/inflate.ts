/** Compressed bodies: a few kilobytes can become megabytes, so few are inflated at a time. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/errors.ts';

const inflate = promisify(gunzip);

/** No snapshot of real counts becomes more than 112 times as large; zeros become a thousand times as large. */
const MAX_RATIO = 200;
/** Large bodies that are inflated at a time, and that wait for it. */
const AT_ONCE = 2;
const MAX_WAITING = 100;

/**
 * Inflates a body.
 *
 * @param admitLarge Called once, before more than a usual body is inflated; may throw.
 * @returns Its bytes; null if they pass `limitBytes`, or a ratio that only fabricated bodies have.
 * @throws {DomainError} `service_unavailable` if too many wait.
 * @throws {Error} if it is not gzip.
 */
export async function inflateBody(
  bytes: Uint8Array<ArrayBuffer>,
  limitBytes: number,
  admitLarge: () => void,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const usual = Math.min(limitBytes, BODY_LIMIT_BYTES);
  const small = await inflateUpTo(bytes, { maxOutputLength: usual });
  if (small !== null || usual === limitBytes) return small;
  admitLarge();
  const maxOutputLength = Math.min(limitBytes, Math.max(usual, MAX_RATIO * bytes.length));
  // In one chunk, which another thread fills: the main thread would join several.
  const chunkSize = maxOutputLength + 1;
  return inTurn(() => inflateUpTo(bytes, { maxOutputLength, chunkSize }));
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

let underWay = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (underWay < AT_ONCE) underWay += 1;
  else await turn();
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay -= 1;
  }
}

/** Resolves when another one is done, whose place it takes. */
async function turn(): Promise<void> {
  if (waiting.length >= MAX_WAITING) {
    throw new DomainError('service_unavailable', 'Too many compressed bodies wait to be read');
  }
  return new Promise((resolve) => waiting.push(resolve));
}
