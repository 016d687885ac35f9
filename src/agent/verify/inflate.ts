import { createReadStream } from 'node:fs';
import { type Gunzip, createGunzip } from 'node:zlib';

/** Packed data is taken in small pieces: what is damaged takes no more with it than its own. */
const PIECE_BYTES = 4096;
/** The sum and the length at the end of packed data. */
const TRAILER_BYTES = 8;

/**
 * The bytes of a packed file, all of them that can be had: damage is thrown once what comes before it was taken.
 *
 * @throws {Error} of zlib if the packed data is damaged, or of the disk.
 */
export async function* inflated(path: string, size: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  const ready: Buffer[] = [];
  let damage: Error | null = null;
  gunzip.on('data', (chunk: Buffer) => void ready.push(chunk));
  gunzip.on('error', (error) => (damage = error));
  try {
    for await (const piece of piecesOf(path, size)) {
      await write(gunzip, piece);
      yield* ready.splice(0);
      if (damage) break;
    }
    if (!damage) await end(gunzip);
    yield* ready.splice(0);
  } finally {
    gunzip.destroy();
  }
  if (damage) throw damage as Error;
}

/** The sum at the end comes alone: if it is wrong, all that it is of was taken. */
async function* piecesOf(path: string, size: number): AsyncGenerator<Buffer> {
  const body = size - TRAILER_BYTES;
  let at = 0;
  const bytes = createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
  for await (const chunk of bytes) {
    const cut = Math.min(Math.max(body - at, 0), chunk.length);
    at += chunk.length;
    if (cut > 0) yield chunk.subarray(0, cut);
    if (cut < chunk.length) yield chunk.subarray(cut);
  }
}

/** Settled when the piece is unpacked, or cannot be. */
function write(gunzip: Gunzip, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gunzip.off('error', done);
      resolve();
    };
    gunzip.once('error', done);
    gunzip.write(piece, done);
  });
}

function end(gunzip: Gunzip): Promise<void> {
  return new Promise((resolve) => {
    gunzip.once('error', () => resolve());
    gunzip.once('end', () => resolve());
    gunzip.end();
  });
}
