/** Looks for several short texts in bytes at once. */

/**
 * The algorithm of Wu and Manber (1994) with blocks of two bytes: where the last two of as many
 * bytes as the shortest needle has cannot stand in any needle, all of these bytes are jumped over.
 */
export class Needles {
  readonly #needles: readonly Buffer[];
  readonly #shortest: number;
  /** How far to jump, by the two bytes. */
  readonly #jumps: Uint8Array;

  /** @param needles Texts of 2 to 255 bytes. */
  constructor(needles: readonly string[]) {
    this.#needles = needles.map((needle) => Buffer.from(needle));
    this.#shortest = Math.min(...this.#needles.map(({ length }) => length));
    this.#jumps = new Uint8Array(1 << 16).fill(this.#shortest - 1);
    for (const needle of this.#needles) this.#shortenJumps(needle);
  }

  /** Where the first of the needles is between two places in `bytes`, -1 if none is. */
  first(bytes: Uint8Array, from: number, to: number): number {
    const jumps = this.#jumps;
    const end = Math.min(to, bytes.length);
    let last = from + this.#shortest - 1;
    while (last < end) {
      const jump = jumps[(bytes[last - 1] as number) | ((bytes[last] as number) << 8)] as number;
      const at = last - this.#shortest + 1;
      if (jump === 0 && this.#isAt(bytes, at, end)) return at;
      last += jump || 1;
    }
    return -1;
  }

  /** Whether a text holds one of the needles. */
  isIn(text: string): boolean {
    const bytes = Buffer.from(text);
    return this.first(bytes, 0, bytes.length) >= 0;
  }

  #shortenJumps(needle: Buffer): void {
    for (let at = 0; at + 1 < this.#shortest; at += 1) {
      const block = needle.readUInt16LE(at);
      const jump = this.#shortest - 2 - at;
      this.#jumps[block] = Math.min(this.#jumps[block] as number, jump);
    }
  }

  #isAt(bytes: Uint8Array, at: number, end: number): boolean {
    for (const needle of this.#needles) {
      let length = 0;
      while (length < needle.length && bytes[at + length] === needle[length]) length += 1;
      if (length === needle.length && at + length <= end) return true;
    }
    return false;
  }
}
