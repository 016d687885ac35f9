/** Reads one log: what it says, and what the index has to know to go on from there. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { FileUsage, Reader } from '#core/readers/reader.ts';
import { type Pace, feedPacked, feedPlain } from './bytes.ts';
import { feedWhole } from './feed.ts';
import { kindOf } from './files.ts';
import { LineFinder } from './lines.ts';
import { type Stamp, isSettled, mayHaveGrown, stampOf, stampOfOpen, stampText } from './stamp.ts';

/** What the index keeps of a log. */
export interface Entry {
  path: string;
  stamp: Stamp;
  /** When it was read, in milliseconds since the epoch. */
  read_ms: number;
  /** Where its last whole line ends. */
  offset: number;
  /** Names the bytes before that place. */
  tail: string;
  /** What its whole lines say. */
  usage: FileUsage;
}

/** What a log says, with its last line even if that has no end yet. */
export interface Reading {
  entry: Entry;
  usage: FileUsage;
}

/** How many bytes show that a file still begins as it did. */
const TAIL_BYTES = 4096;

/** Whether a log need not be read again: it has not changed, and its last line is whole. */
export function isCurrent(entry: Entry, now: Stamp): boolean {
  return isUntouched(entry, now) && entry.offset === now.size;
}

function isUntouched(entry: Entry, now: Stamp): boolean {
  return stampText(entry.stamp) === stampText(now) && isLasting(entry);
}

/** Whether what is known of a log holds until its stamp changes. */
export function isLasting({ stamp, read_ms }: Entry): boolean {
  return isSettled(stamp, read_ms);
}

/** Whether only the end of a log need be read, if its beginning is still the same. */
export function mayGoOn(entry: Entry, now: Stamp): boolean {
  if (kindOf(entry.path) !== 'lines' || !mayHaveGrown(entry.stamp, now)) return false;
  return now.size > entry.stamp.size || isUntouched(entry, now);
}

/** Reads logs of one tool, one after the other. */
export class LogReader {
  readonly #reader: Reader;
  readonly #finder: LineFinder;
  readonly #pace: Pace;

  constructor(reader: Reader, pace: Pace) {
    this.#reader = reader;
    this.#finder = new LineFinder(reader);
    this.#pace = pace;
  }

  /**
   * Reads a log, or what came after an earlier reading of it.
   *
   * @throws {Error} if it cannot be read: then nothing of it counts.
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
    const known = before && goesOn(before, stamp, file) ? before : null;
    const from = known?.offset ?? 0;
    const log = this.#reader.open(path, known?.usage);
    this.#finder.begin((text, shortened) => log.line(text, shortened), from === 0);
    const end = await feedPlain(file, { from, to: stamp.size, pace: this.#pace }, this.#finder);

    const offset = end - this.#finder.unended;
    const usage = log.finish();
    const entry = { path, stamp, read_ms, offset, tail: tailOf(file, offset), usage };
    return { entry, usage: this.#finder.end() ? log.finish() : usage };
  }

  /** Reads a log that cannot be gone on with. */
  async #readWhole(path: string): Promise<Reading> {
    const read_ms = Date.now();
    const stamp = stampOf(path);
    const log = this.#reader.open(path);
    if (!feedWhole(this.#reader, path, log)) {
      this.#finder.begin((text, shortened) => log.line(text, shortened));
      await feedPacked(path, this.#finder, this.#pace);
      this.#finder.end();
    }
    const usage = log.finish();
    return { entry: { path, stamp, read_ms, offset: stamp.size, tail: '', usage }, usage };
  }
}

function goesOn(before: Entry, stamp: Stamp, file: number): boolean {
  return mayGoOn(before, stamp) && tailOf(file, before.offset) === before.tail;
}

/** A name for the bytes that end at a place in a file. */
function tailOf(file: number, offset: number): string {
  const bytes = Buffer.allocUnsafe(Math.min(offset, TAIL_BYTES));
  const count = readSync(file, bytes, 0, bytes.length, offset - bytes.length);
  return createHash('sha256').update(bytes.subarray(0, count)).digest('base64url');
}
