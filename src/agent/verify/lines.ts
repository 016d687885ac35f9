import { open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { EXIT, Failure } from '../failure.ts';
import { type Gunzip, createGunzip } from 'node:zlib';

/** A line of a file: its text, or why it has none. */
type FileLine = { text: string } | { unreadable: string };

/** The longest line: a snapshot of 4 MiB, escaped once more. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

const LINE_FEED = 10;
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * The lines of a file, packed or not, one at a time: no line, and no number of them, fills the memory.
 *
 * @throws {Failure} if the file cannot be read.
 */
export async function* linesIn(path: string): AsyncGenerator<FileLine> {
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (): FileLine => {
    const line = lineOf(pieces, length);
    pieces = [];
    length = 0;
    return line;
  };
  const add = (piece: Buffer) => {
    length += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
    else pieces = [];
  };
  try {
    for await (const chunk of await openFile(path)) {
      let from = 0;
      for (let to = chunk.indexOf(LINE_FEED); to >= 0; to = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, to));
        yield take();
        from = to + 1;
      }
      add(chunk.subarray(from));
    }
  } catch (error) {
    if (!isDamage(error)) throw unreadable(path, error);
    // A line that the damage cuts in two is a part of it.
    yield { unreadable: `the packed data is damaged: ${(error as Error).message}` };
    return;
  }
  if (length > 0) yield { unreadable: 'the file ends in the middle of a line' };
}

async function openFile(path: string): Promise<AsyncIterable<Buffer>> {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(2), position: 0 });
    if (GZIP_MAGIC.equals(buffer)) return inflated(path, (await file.stat()).size);
    return createReadStream(path);
  } finally {
    await file.close();
  }
}

function lineOf(pieces: readonly Buffer[], length: number): FileLine {
  if (length > MAX_LINE_BYTES) {
    return { unreadable: `it is longer than ${MAX_LINE_BYTES / 1024 / 1024} MiB` };
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(Buffer.concat(pieces)) };
  } catch {
    return { unreadable: 'it is not UTF-8' };
  }
}

/** Whether it is the packed data that cannot be read, and not the disk. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function unreadable(path: string, error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(EXIT.usage, `${path} cannot be read: ${reason}`);
}

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
