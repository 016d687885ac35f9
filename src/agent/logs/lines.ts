/**
 * Finds the lines of interest in a stream of bytes. Lines are searched for as bytes and only those
 * that hold a needle become text, without the part that a reader can do without: decoding and
 * parsing whole logs would take many times as long.
 */
import type { Gap } from '#core/readers/reader.ts';
import { Elision } from './elision.ts';

/** Bytes held at a time; a longer line goes through {@linkcode Elision}. */
export const HELD_BYTES = 1 << 20;

/** The shortest line whose gap is worth cutting out, in bytes. */
const SHORT_LINE_BYTES = 1024;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Takes a line; `false` asks for the whole of a shortened one. */
export type TakeLine = (text: string, shortened: boolean) => boolean;

/** Splits bytes into lines, one stream after the other. */
export class LineFinder {
  readonly #held = Buffer.allocUnsafe(HELD_BYTES);
  readonly #needles: readonly string[];
  readonly #needleBytes: readonly Buffer[];
  readonly #gap: { after: Buffer; before: Buffer } | undefined;
  #take: TakeLine = () => true;
  #filled = 0;
  #isFirst = true;
  #long: Elision | null = null;

  constructor({ needles, gap }: { needles: readonly string[]; gap?: Gap | undefined }) {
    this.#needles = needles;
    this.#needleBytes = needles.map((needle) => Buffer.from(needle));
    this.#gap = gap && { after: Buffer.from(gap.after), before: Buffer.from(gap.before) };
  }

  /** Begins a new stream. */
  begin(take: TakeLine): void {
    this.#take = take;
    this.#filled = 0;
    this.#isFirst = true;
    this.#long = null;
  }

  /** Where the stream's next bytes are to be put: {@linkcode added} then says how many there are. */
  room(): Buffer {
    return this.#held.subarray(this.#filled);
  }

  added(count: number): void {
    this.#filled += count;
    const from = this.#long === null ? this.#skipMark() : this.#continueLong(this.#long);
    const end = this.#held.subarray(0, this.#filled).lastIndexOf(NEWLINE) + 1;
    if (end > from) this.#findLines(from, end);
    this.#held.copyWithin(0, Math.max(from, end), this.#filled);
    this.#filled -= Math.max(from, end);
    if (this.#filled === HELD_BYTES) this.#beginLong();
  }

  /** Ends the stream. A last line without an end is still being written, unless it is whole JSON. */
  end(): void {
    const text = this.#long ? this.#long.text() : this.#held.toString('utf8', 0, this.#filled);
    if (text !== null && this.#holdsNeedle(text) && isJson(text)) this.#take(text, false);
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
    if (text === null || this.#holdsNeedle(text)) this.#take(text ?? '', false);
    return newline + 1;
  }

  #holdsNeedle(text: string): boolean {
    return this.#needles.some((needle) => text.includes(needle));
  }

  /** Goes from needle to needle through whole lines. */
  #findLines(from: number, end: number): void {
    const bytes = this.#held.subarray(0, end);
    const hits = this.#needleBytes.map((needle) => placeOf(bytes, needle, from));
    let hit = Math.min(...hits);
    while (hit < end) {
      const start = bytes.lastIndexOf(NEWLINE, hit) + 1;
      const stop = bytes.indexOf(NEWLINE, hit);
      this.#handOver(Math.max(start, from), stop, hit);
      for (const [index, needle] of this.#needleBytes.entries()) {
        if ((hits[index] ?? end) < stop) hits[index] = placeOf(bytes, needle, stop);
      }
      hit = Math.min(...hits);
    }
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
    if (this.#gap === undefined) return null;
    const { after, before } = this.#gap;
    const found = this.#held.subarray(start, hit).indexOf(after);
    if (found < 0) return null;
    const gapStart = start + found + after.length;
    const resume = this.#held.subarray(gapStart, hit).lastIndexOf(before);
    if (resume < 0) return null;
    const head = this.#held.toString('utf8', start, gapStart);
    return `${head}0${this.#held.toString('utf8', gapStart + resume, stop)}`;
  }
}

/** Where a needle is, or the end if it is nowhere. */
function placeOf(bytes: Buffer, needle: Buffer, from: number): number {
  const at = bytes.indexOf(needle, from);
  return at < 0 ? bytes.length : at;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
