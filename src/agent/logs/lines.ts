/**
 * Finds the lines of interest in a stream of bytes. Lines are searched for as bytes and only those
 * that hold a needle become text, without the part that a reader can do without: decoding and
 * parsing whole logs would take many times as long.
 */
import type { Reader } from '#core/readers/reader.ts';
import { Elision } from './elision.ts';
import { Needles } from './needles.ts';

/** Bytes held at a time; a longer line goes through {@linkcode Elision}. */
export const HELD_BYTES = 1 << 20;

/** A line up to this length is looked through and parsed as it is. */
const SHORT_LINE_BYTES = 1024;

/** Where a line says what it is, if it does so before anything nested. */
const HEAD_BYTES = 512;

const NEWLINE = 0x0a;
const ZERO = 0x30;
const OPENING_BRACE = 0x7b;
const OPENING_BRACKET = 0x5b;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Read at a time: small enough to stay in a processor's cache until it is searched. */
const READ_BYTES = 256 << 10;

/** Takes a line; `false` asks for the whole of a shortened one. */
export type TakeLine = (text: string, shortened: boolean) => boolean;

/** Splits bytes into lines, one stream after the other. */
export class LineFinder {
  readonly #held = Buffer.allocUnsafe(HELD_BYTES);
  readonly #needles: Needles;
  readonly #others: Needles;
  readonly #gap: { after: Needles; afterLength: number; before: Buffer } | null;
  readonly #shortened = Buffer.allocUnsafe(HELD_BYTES);
  #take: TakeLine = () => true;
  #filled = 0;
  #unended = 0;
  #isFirst = true;
  #long: Elision | null = null;

  constructor({ needles, gap, others = [] }: Pick<Reader, 'needles' | 'gap' | 'others'>) {
    this.#needles = new Needles(needles);
    this.#others = new Needles(others);
    this.#gap = gap
      ? {
          after: new Needles([gap.after]),
          afterLength: Buffer.byteLength(gap.after),
          before: Buffer.from(gap.before),
        }
      : null;
  }

  /** Begins a new stream, at the beginning of a file or of a later line. */
  begin(take: TakeLine, isFirst = true): void {
    this.#take = take;
    this.#filled = 0;
    this.#isFirst = isFirst;
    this.#unended = 0;
    this.#long = null;
  }

  /** Where the stream's next bytes are to be put: {@linkcode added} then says how many there are. */
  room(): Buffer {
    return this.#held.subarray(this.#filled, this.#filled + READ_BYTES);
  }

  /** How many bytes the line has so far that has no end yet. */
  get unended(): number {
    return this.#unended;
  }

  added(count: number): void {
    const before = this.#filled;
    this.#filled += count;
    this.#measure(before);
    const from = this.#long === null ? this.#skipMark() : this.#continueLong(this.#long);
    const end = this.#held.subarray(0, this.#filled).lastIndexOf(NEWLINE) + 1;
    if (end > from) this.#findLines(from, end);
    this.#held.copyWithin(0, Math.max(from, end), this.#filled);
    this.#filled -= Math.max(from, end);
    if (this.#filled === HELD_BYTES) this.#beginLong();
  }

  /**
   * Ends the stream. A last line without an end is still being written, unless it is whole JSON.
   *
   * @returns Whether that line was taken.
   */
  end(): boolean {
    if (this.#unended === 0) return false;
    const text = this.#long ? this.#long.text() : this.#held.toString('utf8', 0, this.#filled);
    const isWhole = text !== null && this.#needles.isIn(text) && isJson(text);
    if (isWhole) this.#take(text, false);
    return isWhole;
  }

  #measure(before: number): void {
    const newline = this.#held.subarray(before, this.#filled).lastIndexOf(NEWLINE);
    const added = this.#filled - before;
    this.#unended = newline < 0 ? this.#unended + added : added - newline - 1;
  }

  #skipMark(): number {
    if (!this.#isFirst || this.#filled < BYTE_ORDER_MARK.length) return 0;
    this.#isFirst = false;
    const start = this.#held.subarray(0, BYTE_ORDER_MARK.length);
    return start.equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  #beginLong(): void {
    this.#long = new Elision();
    this.#long.push(this.#held);
    this.#filled = 0;
  }

  /** Feeds a long line up to its end and returns where the next line begins. */
  #continueLong(long: Elision): number {
    const bytes = this.#held.subarray(0, this.#filled);
    const newline = bytes.indexOf(NEWLINE);
    long.push(newline < 0 ? bytes : bytes.subarray(0, newline));
    if (newline < 0) return this.#filled;

    this.#long = null;
    const text = long.text();
    // What is too much to be judged must not pass unnoticed: no text at all is a broken line.
    if (text === null || this.#needles.isIn(text)) this.#take(text ?? '', false);
    return newline + 1;
  }

  /** Hands over the whole lines that hold a needle. */
  #findLines(from: number, end: number): void {
    for (let start = from; start < end;) {
      const stop = this.#held.indexOf(NEWLINE, start);
      const hit = this.#isOther(start, stop) ? -1 : this.#needles.first(this.#held, start, stop);
      if (hit >= 0) this.#handOver(start, stop, hit);
      start = stop + 1;
    }
  }

  /** Whether a long line says at its beginning, before anything nested, that it is of no interest. */
  #isOther(start: number, stop: number): boolean {
    if (stop - start <= SHORT_LINE_BYTES || this.#held[start] !== OPENING_BRACE) return false;
    const place = this.#others.first(this.#held, start, start + HEAD_BYTES);
    for (let at = start + 1; at < place; at += 1) {
      const byte = this.#held[at];
      if (byte === OPENING_BRACE || byte === OPENING_BRACKET) return false;
    }
    return place >= 0;
  }

  #handOver(start: number, stop: number, hit: number): void {
    const shortened = stop - start > SHORT_LINE_BYTES ? this.#shorten(start, stop, hit) : null;
    if (shortened !== null && this.#take(shortened, true)) return;
    this.#take(this.#held.toString('utf8', start, stop), false);
  }

  /**
   * The line without its gap. The gap ends before the first needle, so nothing that could be meant
   * is cut out unseen; a gap that ends inside of an array leaves text that is not JSON.
   */
  #shorten(start: number, stop: number, hit: number): string | null {
    if (this.#gap === null) return null;
    const bytes = this.#held;
    const found = this.#gap.after.first(bytes, start, hit);
    if (found < 0) return null;
    const gapStart = found + this.#gap.afterLength;
    const resume = lastPlaceOf(this.#gap.before, bytes, gapStart, hit);
    if (resume < 0) return null;
    // Put together as bytes: texts would have to be joined once more before they can be parsed.
    const length = bytes.copy(this.#shortened, 0, start, gapStart);
    this.#shortened[length] = ZERO;
    const end = length + 1 + bytes.copy(this.#shortened, length + 1, resume, stop);
    return this.#shortened.toString('utf8', 0, end);
  }
}

/** Where a text is for the last time between two places, looked for from the end. */
function lastPlaceOf(text: Buffer, bytes: Buffer, from: number, to: number): number {
  for (let at = to - text.length; at >= from; at -= 1) {
    let length = 0;
    while (length < text.length && bytes[at + length] === text[length]) length += 1;
    if (length === text.length) return at;
  }
  return -1;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
