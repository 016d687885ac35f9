/** Reads log files, plain or packed, with bounded memory. */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
// Not by name: `createZstdDecompress` is missing in older versions of Node.js.
import zlib from 'node:zlib';
import type { LineFinder } from './lines.ts';

type Unpack = ((options: { chunkSize: number }) => Transform) | null;

const UNPACKED_BYTES = 256 << 10;

/**
 * Feeds a file to a finder, up to the size that it has now: what is appended meanwhile is for the
 * next time.
 *
 * @param unpack Makes a decompressor; null where the runtime has none.
 * @throws {Error} if it cannot be read to that end.
 */
export async function feedFile(
  path: string,
  finder: LineFinder,
  unpack: Unpack = zlib.createZstdDecompress ?? null,
): Promise<void> {
  if (path.endsWith('.zst')) await feedPacked(path, finder, unpack);
  else feedPlain(path, finder);
  finder.end();
}

function feedPlain(path: string, finder: LineFinder): void {
  const file = openSync(path, 'r');
  try {
    let left = fstatSync(file).size;
    while (left > 0) {
      const room = finder.room();
      const count = readSync(file, room, 0, Math.min(room.length, left), null);
      if (count === 0) break;
      finder.added(count);
      left -= count;
    }
  } finally {
    closeSync(file);
  }
}

async function feedPacked(path: string, finder: LineFinder, unpack: Unpack): Promise<void> {
  if (unpack === null) throw new Error('Reading .zst needs Node.js 22.15 or later');
  const { size } = statSync(path);
  if (size === 0) return;
  const packed = createReadStream(path, { end: size - 1 });
  const unpacked = unpack({ chunkSize: UNPACKED_BYTES });
  await pipeline(packed, unpacked, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) feedChunk(chunk, finder);
  });
}

function feedChunk(chunk: Buffer, finder: LineFinder): void {
  for (let from = 0; from < chunk.length;) {
    const count = chunk.copy(finder.room(), 0, from);
    finder.added(count);
    from += count;
  }
}
