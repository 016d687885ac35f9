/** Files of the ledger: a first line with format and checksum, then the content. */
import { readBytes, writePrivate } from '../kept/files.ts';
import { sha256 } from './sha256.ts';

/** The format of this version; files of a later one are left alone. */
export const FORMAT = 1;

/** The first line; what follows the format is another matter in other formats. */
const HEAD = /^opbench-ledger (\d{1,6}) (.*)$/;

export type Sealed =
  { state: 'absent' | 'damaged' | 'newer' } | { state: 'whole'; body: Buffer; digest: string };

/**
 * What a file of the ledger holds.
 *
 * @throws {Failure} if it is there and cannot be read.
 */
export function readSealed(path: string): Sealed {
  const bytes = readBytes(path);
  if (bytes === null) return { state: 'absent' };
  const end = bytes.indexOf('\n');
  const [, format, digest] = HEAD.exec(bytes.toString('utf8', 0, Math.max(end, 0))) ?? [];
  if (Number(format) > FORMAT) return { state: 'newer' };
  const body = bytes.subarray(end + 1);
  if (digest === undefined || digestOf(body) !== digest) return { state: 'damaged' };
  return { state: 'whole', body, digest };
}

/**
 * The digest in the first line of a file; null if there is none.
 *
 * @throws {Failure} if it cannot be read.
 */
export function digestIn(path: string): string | null {
  const bytes = readBytes(path);
  const line = bytes?.toString('utf8', 0, Math.max(bytes.indexOf('\n'), 0)) ?? '';
  return HEAD.exec(line)?.[2] ?? null;
}

/**
 * Writes a file of the ledger, whole or not at all.
 *
 * @returns The digest of its content.
 * @throws {Failure} if it cannot be written.
 */
export function writeSealed(path: string, body: Uint8Array): string {
  const digest = digestOf(body);
  const head = Buffer.from(`opbench-ledger ${FORMAT} ${digest}\n`);
  writePrivate(path, Buffer.concat([head, body]));
  return digest;
}

function digestOf(body: Uint8Array): string {
  return sha256(body).toString('base64url');
}
