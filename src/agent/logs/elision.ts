/** Shortens JSON lines that are too long for memory: the structure is kept, long strings are replaced. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The longest string that is kept, in bytes between the quotes. */
const STRING_BYTES = 512;

const RESULT_BYTES = 8 << 20;

/**
 * Replaces a long string. It is longer than any kept string, so that length limits of IDs and names still reject it.
 */
const FILLER = Buffer.alloc(STRING_BYTES + 1, 'x');

/** Takes one line in chunks, with bounded memory. */
export class Elision {
  #result = Buffer.allocUnsafe(64 << 10);
  #length = 0;
  /** The start of the current string; -1 outside strings. */
  #stringStart = -1;
  #isEscaped = false;
  #isLong = false;
  #isTooMuch = false;

  push(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && !this.#isTooMuch) {
      at = this.#stringStart < 0 ? this.#structure(bytes, at) : this.#string(bytes, at);
    }
  }

  /** The shortened line; null if even its structure is too long. */
  text(): string | null {
    return this.#isTooMuch ? null : this.#result.toString('utf8', 0, this.#length);
  }

  /** Keeps everything up to the next string. */
  #structure(bytes: Uint8Array, from: number): number {
    const quote = bytes.indexOf(QUOTE, from);
    const end = quote < 0 ? bytes.length : quote + 1;
    this.#keep(bytes.subarray(from, end));
    if (quote >= 0) this.#stringStart = this.#length;
    return end;
  }

  /** Advances to the end of the current string, or of the bytes. */
  #string(bytes: Uint8Array, from: number): number {
    const end = this.#endOfString(bytes, from);
    if (!this.#isLong) this.#keep(bytes.subarray(from, Math.min(end, from + FILLER.length)));
    if (!this.#isLong && this.#length - this.#stringStart > STRING_BYTES) this.#replace();
    if (end < bytes.length) this.#close();
    return end < bytes.length ? end + 1 : end;
  }

  #endOfString(bytes: Uint8Array, from: number): number {
    const end = bytes.length;
    let at = this.#isEscaped ? from + 1 : from;
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.#isEscaped = at > end;
    return Math.min(at, end);
  }

  #replace(): void {
    this.#isLong = true;
    this.#length = this.#stringStart;
    this.#keep(FILLER);
  }

  #close(): void {
    this.#stringStart = -1;
    this.#isLong = false;
    this.#keep(Buffer.of(QUOTE));
  }

  #keep(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > RESULT_BYTES) {
      this.#isTooMuch = true;
      return;
    }
    if (needed > this.#result.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(RESULT_BYTES, Math.max(needed, 2 * this.#result.length)),
      );
      this.#result.copy(larger, 0, 0, this.#length);
      this.#result = larger;
    }
    this.#result.set(bytes, this.#length);
    this.#length = needed;
  }
}
