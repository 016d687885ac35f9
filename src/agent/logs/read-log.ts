/** Reads one log, and returns its usage and what is needed to continue from there. */
// Not a named import, because `createZstdDecompress` is missing in older versions of Node.js.
import zlib from 'node:zlib';
import { closeSync, createReadStream, openSync, readSync, statSync, fstatSync } from 'node:fs';
import type { Transform } from 'node:stream';
import type { FileReader, FileUsage, Reader } from '#core/readers/shared/reader.ts';
import { sha256 } from '../state/sha256.ts';
import { feedDatabase } from './database.ts';
import { codeOf, kindOf } from './files.ts';
import { LineFinder } from './lines.ts';
import { type Stamp, isSettled, mayHaveGrown, stampOf, stampOfOpen, stampText } from './stamp.ts';
import { Elements } from './elements.ts';
import { Elision } from './elision.ts';
import { ZstdFrames } from './zstd-frames.ts';

export interface Entry {
  path: string;
  stamp: Stamp;
  /** When it was read, in milliseconds since the epoch. */
  read_ms: number;
  /** The end of its last complete line. */
  offset: number;
  /** A hash of the bytes before that offset. */
  tail: string;
  usage: FileUsage;
}

/** The usage of a log, including a last line without a line end. */
export interface Reading {
  entry: Entry;
  usage: FileUsage;
}

/** Called with the number of bytes read. May return a promise to wait for. */
export type Pace = (bytes: number) => Promise<void> | undefined;

type Unpack = ((options: { chunkSize: number }) => Transform) | null;

/** How many bytes are compared to check that the start of a file is unchanged. */
const TAIL_BYTES = 4096;

const UNPACKED_BYTES = 256 << 10;

/** Whether a log does not have to be read again: it is unchanged, and its last line is complete. */
export function isCurrent(entry: Entry, now: Stamp): boolean {
  return isUntouched(entry, now) && entry.offset === now.size;
}

function isUntouched(entry: Entry, now: Stamp): boolean {
  return stampText(entry.stamp) === stampText(now) && isLasting(entry);
}

/** Whether an entry is valid until its stamp changes. */
export function isLasting({ stamp, read_ms }: Entry): boolean {
  return isSettled(stamp, read_ms);
}

/** The offset to continue from if the start of a log is unchanged; 0 to read it from the start. */
export function resumeAt(entry: Entry | undefined, now: Stamp): number {
  if (!entry || kindOf(entry.path) !== 'lines' || !mayHaveGrown(entry.stamp, now)) return 0;
  return now.size > entry.stamp.size || isUntouched(entry, now) ? entry.offset : 0;
}

export class LogReader {
  readonly #reader: Reader;
  readonly #finder: LineFinder;
  readonly #pace: Pace;

  constructor(reader: Reader, pace: Pace) {
    this.#reader = reader;
    this.#finder = new LineFinder(reader.needles);
    this.#pace = pace;
  }

  /**
   * Reads a log, or what was added since an earlier reading.
   *
   * @throws {Error} if it cannot be read. Nothing of it then counts.
   */
  async read(path: string, before?: Entry): Promise<Reading> {
    if (kindOf(path) !== 'lines') return this.#readWhole(path);
    const file = openSync(path, 'r');
    try {
      return await this.#readLines(path, file, before);
    } finally {
      closeSync(file);
    }
  }

  async #readLines(path: string, file: number, before?: Entry): Promise<Reading> {
    const read_ms = Date.now();
    const stamp = stampOfOpen(file);
    const resume = resumeAt(before, stamp);
    const from = tailOf(file, resume) === before?.tail ? resume : 0;
    const log = this.#reader.open(path, from > 0 ? before?.usage : undefined);
    this.#finder.begin((text) => log.line(text), from === 0);
    const end = await feedPlain(file, { from, to: stamp.size, pace: this.#pace }, this.#finder);

    const offset = end - this.#finder.unended;
    const usage = log.finish();
    const entry = { path, stamp, read_ms, offset, tail: tailOf(file, offset), usage };
    return { entry, usage: this.#finder.end() ? log.finish() : usage };
  }

  async #readWhole(path: string): Promise<Reading> {
    const read_ms = Date.now();
    const stamp = stampOf(path);
    const log = this.#reader.open(path);
    await this.#feed(path, log);
    const usage = log.finish();
    return { entry: { path, stamp, read_ms, offset: stamp.size, tail: '', usage }, usage };
  }

  async #feed(path: string, log: FileReader): Promise<void> {
    const kind = kindOf(path);
    if (kind === 'database') return feedDatabase(path, this.#reader, log);
    const isArray = kind === 'document' && this.#reader.arrays === true && isArrayIn(path);
    if (kind === 'document' && !isArray) return feedDocument(path, this.#reader, log);
    this.#finder.begin((text) => log.line(text));
    if (isArray) feedArray(path, this.#finder);
    else await feedPacked(path, this.#finder, this.#pace);
    this.#finder.end();
  }
}

function tailOf(file: number, offset: number): string {
  const bytes = Buffer.allocUnsafe(Math.min(offset, TAIL_BYTES));
  const count = readSync(file, bytes, 0, bytes.length, offset - bytes.length);
  return sha256(bytes.subarray(0, count)).toString('base64url');
}

/**
 * Feeds a part of an open file to a finder. Bytes that are appended meanwhile are left for the next scan.
 *
 * @returns The offset that was reached. It is lower than `to` if the file was truncated meanwhile.
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
 * Feeds a compressed file to a finder, up to its current size.
 *
 * @param unpack Creates a decompressor; null if the runtime has none.
 * @throws {Error} if the file cannot be read completely.
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
  const frames = new ZstdFrames();
  async function* split(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) yield* frames.split(chunk);
  }
  try {
    await pipeline(packed, split, unpacked, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        feedChunk(chunk, finder);
        await pace(chunk.length);
      }
    });
  } catch (error) {
    // A frame that is being appended is left for the next scan.
    if (frames.ended === 0 || codeOf(error) !== 'Z_BUF_ERROR') throw error;
  }
}

function feedChunk(chunk: Buffer, finder: LineFinder): void {
  for (let from = 0; from < chunk.length;) {
    const count = chunk.copy(finder.room(), 0, from);
    finder.added(count);
    from += count;
  }
}

const CHUNK_BYTES = 256 << 10;
/** Enough to see how a document begins. */
const START_BYTES = 64;

/**
 * Feeds a document to a reader, up to its current size.
 *
 * @throws {Error} if it cannot be read.
 */
export function feedDocument(path: string, { needles }: Reader, file: FileReader): void {
  const text = readDocument(path);
  if (text === null) {
    // A document that is too long to check is counted as a skipped line.
    file.line('');
    return;
  }
  const line = text.replace(/^\uFEFF/, '').trim();
  if (line !== '' && needles.some((needle) => line.includes(needle))) file.line(line);
}

/** Whether a document is a JSON array. */
function isArrayIn(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(START_BYTES);
    const count = readSync(file, start, 0, start.length, 0);
    return /^\uFEFF?\s*\[/.test(start.toString('utf8', 0, count));
  } finally {
    closeSync(file);
  }
}

/**
 * Feeds the elements of a JSON array to a finder, up to the file's current size.
 *
 * @throws {Error} if it cannot be read.
 */
export function feedArray(path: string, finder: LineFinder): void {
  const elements = new Elements();
  eachChunk(path, (chunk) => {
    elements.split(chunk);
    feedChunk(chunk, finder);
  });
}

/** A document's text without long strings; null if even its structure is too long. */
function readDocument(path: string): string | null {
  const elision = new Elision();
  eachChunk(path, (chunk) => elision.push(chunk));
  return elision.text();
}

/** Reads a file up to its current size. The chunk is only valid during the call. */
function eachChunk(path: string, take: (chunk: Buffer) => void): void {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let left = fstatSync(file).size; left > 0;) {
      const count = readSync(file, chunk, 0, Math.min(chunk.length, left), null);
      if (count === 0) break;
      take(chunk.subarray(0, count));
      left -= count;
    }
  } finally {
    closeSync(file);
  }
}
