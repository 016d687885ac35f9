/**
 * Finds lines that contain a needle in a stream of bytes. Only these lines are decoded, because decoding and parsing whole
 * logs would take many times as long.
 */
import { Elision } from './elision.ts';

/** The size of the buffer. Longer lines go through {@linkcode Elision}. */
export const HELD_BYTES = 1 << 20;

const NEWLINE = 0x0a;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Bytes read at once: few enough to stay in the processor's cache until they are searched. */
const READ_BYTES = 256 << 10;

/** Receives a line that contains a needle. An empty text stands for a line that is too long to check. */
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

  /** Starts a new stream, at the start of a file or of a later line. */
  begin(take: TakeLine, isFirst = true): void {
    this.#take = take;
    this.#filled = 0;
    this.#isFirst = isFirst;
    this.#unended = 0;
    this.#long = null;
  }

  /** The buffer for the next bytes. Call {@linkcode added} with their number afterwards. */
  room(): Buffer {
    return this.#held.subarray(this.#filled, this.#filled + READ_BYTES);
  }

  /** The number of bytes of the unfinished last line. */
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
   * Ends the stream. A last line without a line end is used only if it is complete JSON.
   *
   * @returns Whether that line was used.
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

  /** Feeds a long line up to its end. Returns the start of the next line. */
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

  /** Passes on the lines that contain a needle, in order and once each. */
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
