import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { unreachable } from '../board/failure.ts';
import type { Client } from '../board/client.ts';
import { EXIT, Failure } from '../failure.ts';

/** The largest file that is taken (16 GiB). */
const MAX_BYTES = 16 * 1024 ** 3;
/** A board that sends nothing for so long is taken to be gone. */
const STALLED_MS = 60_000;

/**
 * Saves a file of a board.
 *
 * @throws {Failure} `network` if it does not come to its end.
 */
export async function download(client: Client, url: string, path: string): Promise<void> {
  const stalled = new AbortController();
  const abort = () => stalled.abort(new Error('it has sent nothing for a minute'));
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
    const body = await client.file(url, stalled.signal);
    const bytes = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    await pipeline(bytes, watch, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    throw error instanceof Failure ? error : unreachable(url, error);
  } finally {
    clearTimeout(timer);
  }
}
