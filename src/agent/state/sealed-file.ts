/** Files whose first line names their form and the checksum of their content. */
import { readBytes, writePrivate } from './atomic-file.ts';
import { sha256 } from './sha256.ts';

/** What a file is. Files of a later version are left alone. */
interface FileForm {
  name: string;
  version: number;
}

/** The first line; what follows the version is another matter in other versions. */
const HEAD = /^(\S+) (\d{1,6}) (.*)$/;

export type Sealed =
  { state: 'absent' | 'damaged' | 'newer' } | { state: 'whole'; body: Buffer; digest: string };

/**
 * What a file holds.
 *
 * @throws {Failure} if it is there and cannot be read.
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
 * Writes a file, whole or not at all.
 *
 * @returns The digest of its content.
 */
export function writeSealed(path: string, { name, version }: FileForm, body: Uint8Array): string {
  const digest = digestOf(body);
  writePrivate(path, Buffer.concat([Buffer.from(`${name} ${version} ${digest}\n`), body]));
  return digest;
}

function firstLine(bytes: Buffer): string {
  return bytes.toString('utf8', 0, Math.max(bytes.indexOf('\n'), 0));
}

function digestOf(body: Uint8Array): string {
  return sha256(body).toString('base64url');
}
