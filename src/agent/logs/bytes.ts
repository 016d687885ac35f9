/** Reads log files, plain or packed, with bounded memory. */
import { createReadStream, readSync, statSync } from 'node:fs';
import type { Transform } from 'node:stream';
// Not by name: `createZstdDecompress` is missing in older versions of Node.js.
import zlib from 'node:zlib';
import type { LineFinder } from './lines.ts';

/** Hears how many bytes were read, and may ask to wait before more are. */
export type Pace = (bytes: number) => Promise<void> | undefined;

type Unpack = ((options: { chunkSize: number }) => Transform) | null;

const UNPACKED_BYTES = 256 << 10;

/**
 * Feeds a finder with an open file, from a place in it up to another: what is appended meanwhile
 * is for the next time.
 *
 * @returns Where it came to: less far if the file was cut short meanwhile.
 */
export async function feedPlain(
  file: number,
  { from, to, pace }: { from: number; to: number; pace: Pace },
  finder: LineFinder,
): Promise<number> {
  let at = from;
  while (at < to) {
    const room = finder.room();
    const count = readSync(file, room, 0, Math.min(room.length, to - at), at);
    if (count === 0) break;
    finder.added(count);
    at += count;
    const wait = pace(count);
    if (wait) await wait;
  }
  return at;
}

/**
 * Feeds a finder with a packed file, up to the size that it has now.
 *
 * @param unpack Makes a decompressor; null where the runtime has none.
 * @throws {Error} if it cannot be read to that end.
 */
export async function feedPacked(
  path: string,
  finder: LineFinder,
  pace: Pace,
  unpack: Unpack = zlib.createZstdDecompress ?? null,
): Promise<void> {
  if (unpack === null) throw new Error('Reading .zst needs Node.js 22.15 or later');
  const { size } = statSync(path);
  if (size === 0) return;
  const { pipeline } = await import('node:stream/promises');
  const packed = createReadStream(path, { end: size - 1 });
  const unpacked = unpack({ chunkSize: UNPACKED_BYTES });
  await pipeline(packed, unpacked, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      feedChunk(chunk, finder);
      await pace(chunk.length);
    }
  });
}

function feedChunk(chunk: Buffer, finder: LineFinder): void {
  for (let from = 0; from < chunk.length;) {
    const count = chunk.copy(finder.room(), 0, from);
    finder.added(count);
    from += count;
  }
}
