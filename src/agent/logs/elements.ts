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
    switch (byte) {
      case QUOTE:
        this.#isInString = true;
        return byte;
      case NEWLINE:
      case RETURN:
        return SPACE;
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#depth += 1;
        return this.#depth === 1 ? SPACE : byte;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        this.#depth -= 1;
        return this.#depth === 0 ? NEWLINE : byte;
      case COMMA:
        return this.#depth === 1 ? NEWLINE : byte;
      default:
        return byte;
    }
  }
}
