/**
 * Finds the lines of interest in a stream of bytes. Needles are searched for as bytes and only lines
 * that hold one become text: decoding and parsing whole logs would take many times as long.
 */
import { Elision } from './elision.ts';

/** Bytes held at a time; a longer line goes through {@linkcode Elision}. */
export const HELD_BYTES = 1 << 20;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Read at a time: small enough to stay in a processor's cache until it is searched. */
const READ_BYTES = 256 << 10;

/** Takes a line that holds a needle; an empty one stands for a line that is too long to be judged. */
type TakeLine = (text: string) => void;

export class LineFinder {
  readonly #held = Buffer.allocUnsafe(HELD_BYTES);
  readonly #needles: readonly string[];
  #take: TakeLine = () => undefined;
  #filled = 0;
  #unended = 0;
  #isFirst = true;
  #long: Elision | null = null;

  constructor(needles: readonly string[]) {
    this.#needles = needles;
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
    if (end > from) this.#findLines(this.#held.subarray(from, end));
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
    const isWhole = text !== null && this.#holdsNeedle(text) && isJson(text);
    if (isWhole) this.#take(text);
    return isWhole;
  }

  #holdsNeedle(text: string): boolean {
    return this.#needles.some((needle) => text.includes(needle));
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
    if (text === null || this.#holdsNeedle(text)) this.#take(text ?? '');
    return newline + 1;
  }

  /** Hands over those of whole lines that hold a needle, in order and once each. */
  #findLines(lines: Buffer): void {
    const places = this.#needles.map((needle) => lines.indexOf(needle));
    for (let start = 0; ;) {
      const place = Math.min(...places.filter((at) => at >= 0));
      if (!Number.isFinite(place)) return;
      start += lines.subarray(start, place).lastIndexOf(NEWLINE) + 1;
      const stop = lines.indexOf(NEWLINE, place);
      this.#take(lines.toString('utf8', start, stop));
      start = stop + 1;
      for (const [index, needle] of this.#needles.entries()) {
        const at = places[index] ?? -1;
        if (at >= 0 && at < start) places[index] = lines.indexOf(needle, start);
      }
    }
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
