/** Downloads of files that may be large. */
import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from '../board/client.ts';
import { unreachable } from '../board/failure.ts';
import { EXIT, Failure } from '../failure.ts';

/** The largest accepted file (16 GiB). */
const MAX_BYTES = 16 * 1024 ** 3;
/** The download stops if the board sends nothing for this long. */
const STALLED_MS = 60_000;

/**
 * Downloads a file of a board, unless it has not changed.
 *
 * @param known The tag of the version that the caller has; null for none.
 * @returns The tag of the downloaded version; null if nothing was downloaded.
 * @throws {Failure} `network` if the download does not complete.
 */
export async function download(
  client: Client,
  url: string,
  path: string,
  known: string | null = null,
): Promise<{ etag: string | null } | null> {
  const stalled = new AbortController();
  const abort = () => stalled.abort(new Error('it sent nothing for a minute'));
  let timer = setTimeout(abort, STALLED_MS);
  let length = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      clearTimeout(timer);
      timer = setTimeout(abort, STALLED_MS);
      length += chunk.length;
      if (length <= MAX_BYTES) pass(null, chunk);
      else pass(new Failure(EXIT.network, `${url} is larger than 16 GiB`));
    },
  });
  try {
    const found = await client.changedFile(url, stalled.signal, known);
    if (!found) return null;
    const bytes = Readable.fromWeb(found.body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, watch, createWriteStream(path, { mode: 0o600 }));
    return { etag: found.etag };
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(url, error);
  } finally {
    clearTimeout(timer);
  }
}
