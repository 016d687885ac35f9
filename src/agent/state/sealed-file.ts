/** Files whose first line contains their format, version and checksum. */
import { readBytes, writeCache, writePrivate } from './atomic-file.ts';
import { sha256 } from './sha256.ts';

/** The format of a file. Files of a newer version are not changed. */
interface FileForm {
  name: string;
  version: number;
  /** Whether a power failure may damage the file. */
  isCache?: boolean;
}

/** The first line. The part after the version may differ in other versions. */
const HEAD = /^(\S+) (\d{1,6}) (.*)$/;

export type Sealed =
  { state: 'absent' | 'damaged' | 'newer' } | { state: 'whole'; body: Buffer; digest: string };

/**
 * The content of a file.
 *
 * @throws {Failure} if the file exists but cannot be read.
 */
export function readSealed(path: string, form: FileForm): Sealed {
  const bytes = readBytes(path);
  if (bytes === null) return { state: 'absent' };
  const [, name, version, digest] = HEAD.exec(firstLine(bytes)) ?? [];
  if (name === form.name && Number(version) > form.version) return { state: 'newer' };
  const body = bytes.subarray(bytes.indexOf('\n') + 1);
  const isWhole = name === form.name && digest === digestOf(body);
  return isWhole ? { state: 'whole', body, digest } : { state: 'damaged' };
}

/** The digest in the first line of a file, unchecked; null if there is none. */
export function digestIn(path: string): string | null {
  const bytes = readBytes(path);
  return bytes && (HEAD.exec(firstLine(bytes))?.[3] ?? null);
}

/**
 * Writes a file atomically.
 *
 * @returns The digest of its content.
 */
export function writeSealed(path: string, form: FileForm, body: Uint8Array): string {
  const digest = digestOf(body);
  const content = [`${form.name} ${form.version} ${digest}\n`, body];
  if (form.isCache) writeCache(path, content);
  else writePrivate(path, content);
  return digest;
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8', 0, Math.max(bytes.indexOf('\n'), 0));
}

function digestOf(body: Uint8Array): string {
  return sha256(body).toString('base64url');
}
