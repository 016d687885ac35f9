/** The folder or the address that UPDATE_URL names, from which releases are read. */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { refused } from './upgrade-error.ts';
import { WebFolder, type WebOptions } from './web-folder.ts';

export interface ReleaseFile {
  /** Its size; null if unknown. */
  bytes: number | null;
  chunks: AsyncIterable<Uint8Array>;
}

export interface ReleaseSource {
  /** The path or address, without a password. */
  readonly shown: string;
  /** Opens a file; null if there is none of this name. */
  open(name: string, totalMs: number): Promise<ReleaseFile | null>;
}

export function sourceAt(place: string, options: WebOptions): ReleaseSource {
  return /^https?:/i.test(place) ? new WebFolder(place, options) : new LocalFolder(place);
}

class LocalFolder implements ReleaseSource {
  readonly shown: string;

  constructor(folder: string) {
    this.shown = folder;
  }

  async open(name: string): Promise<ReleaseFile | null> {
    const path = join(this.shown, name);
    try {
      const file = await open(path);
      // Reading to the end closes the file.
      return { bytes: (await file.stat()).size, chunks: file.createReadStream() };
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code)))
        return null;
      throw error;
    }
  }
}

/** Time for a small file, in milliseconds. */
const SMALL_MS = 60_000;

/**
 * Reads a whole small file; null if there is none of this name.
 *
 * @throws {UpgradeError} if it is larger than `limit` bytes.
 */
export async function readSmall(
  source: ReleaseSource,
  name: string,
  limit: number,
): Promise<Buffer | null> {
  const file = await source.open(name, SMALL_MS);
  if (file === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(name, file.chunks, limit)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Passes on at most `limit` bytes.
 *
 * @throws {UpgradeError} if there are more.
 */
export async function* limited(
  name: string,
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > limit) {
      throw refused(
        `${name} is larger than ${limit} bytes, so it is not a file of a release. Check UPDATE_URL`,
      );
    }
    yield chunk;
  }
}
