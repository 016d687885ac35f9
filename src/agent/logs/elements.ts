/** Turns a JSON array into lines, one for each element, so that it can be searched like other logs. */

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Takes the bytes of a JSON array in chunks. */
export class Elements {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Replaces the bytes between elements by line ends, in place. */
  split(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (this.#isInString) this.#advance(byte);
      else bytes[at] = this.#between(byte);
    }
  }

  #advance(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  /** The byte that replaces one outside of strings. */
  #between(byte: number): number {
    if (byte === QUOTE) this.#isInString = true;
    if (byte === NEWLINE || byte === RETURN) return SPACE;
    if (byte === COMMA) return this.#depth === 1 ? NEWLINE : byte;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) return this.#open(byte);
    return byte === CLOSE_LIST || byte === CLOSE_OBJECT ? this.#close(byte) : byte;
  }

  #open(byte: number): number {
    this.#depth += 1;
    return this.#depth === 1 ? SPACE : byte;
  }

  #close(byte: number): number {
    this.#depth -= 1;
    return this.#depth === 0 ? NEWLINE : byte;
  }
}
