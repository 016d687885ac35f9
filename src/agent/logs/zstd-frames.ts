/**
 * Finds the frames of a compressed file (RFC 8878). Node.js stops after the first frame in what it is given at once, and
 * some tools append one frame for each write.
 */

const MAGIC_BYTES = 4;
const FRAME = 0xfd2fb528;
/** The longest part whose length is needed: the beginning of a frame up to its descriptor. */
const MOST_HEAD_BYTES = 8;

const ID_BYTES = [0, 1, 2, 4] as const;
const SIZE_BYTES = [0, 2, 4, 8] as const;
const BLOCK_HEAD_BYTES = 3;
const CHECKSUM_BYTES = 4;
const RLE = 1;

/** Splits a stream of bytes where frames end. */
export class ZstdFrames {
  /** How many frames have ended. */
  ended = 0;
  /** The part that is being read, of which only the first bytes are held. */
  #part: 'start' | 'block' | 'rest' = 'start';
  #head = Buffer.alloc(MOST_HEAD_BYTES);
  #held = 0;
  /** The bytes until the next part. */
  #left = 0;
  #hasChecksum = false;
  #isLast = false;

  /** Parts of the bytes, of which none continues after the end of a frame. */
  *split(bytes: Buffer): Generator<Buffer> {
    let from = 0;
    for (let at = 0; at < bytes.length;) {
      const before = this.ended;
      at += this.#part === 'rest' ? this.#skip(bytes.length - at) : this.#take(bytes[at] as number);
      if (this.ended === before) continue;
      yield bytes.subarray(from, at);
      from = at;
    }
    if (from < bytes.length) yield bytes.subarray(from);
  }

  #skip(available: number): number {
    const count = Math.min(available, this.#left);
    this.#left -= count;
    if (this.#left === 0) this.#next();
    return count;
  }

  #take(byte: number): number {
    this.#head[this.#held] = byte;
    this.#held += 1;
    if (this.#part === 'start') this.#readStart();
    else if (this.#held === BLOCK_HEAD_BYTES) this.#readBlock();
    return 1;
  }

  #readStart(): void {
    if (this.#held <= MAGIC_BYTES) return;
    if (this.#head.readUInt32LE(0) !== FRAME) {
      // A skippable frame, whose length follows. Anything else is rejected by the decompressor.
      if (this.#held < MOST_HEAD_BYTES) return;
      this.#isLast = true;
      this.#hasChecksum = false;
      this.#rest(this.#head.readUInt32LE(MAGIC_BYTES));
      return;
    }
    const flags = this.#head[MAGIC_BYTES] as number;
    const isSingle = (flags & 0x20) !== 0;
    const size = SIZE_BYTES[(flags >> 6) as 0 | 1 | 2 | 3];
    this.#isLast = false;
    this.#hasChecksum = (flags & 0x04) !== 0;
    this.#rest(ID_BYTES[(flags & 3) as 0 | 1 | 2 | 3] + (isSingle ? Math.max(size, 1) : size + 1));
  }

  #readBlock(): void {
    const block = this.#head.readUIntLE(0, BLOCK_HEAD_BYTES);
    this.#isLast = (block & 1) !== 0;
    const size = ((block >> 1) & 3) === RLE ? 1 : block >> 3;
    this.#rest(size + (this.#isLast && this.#hasChecksum ? CHECKSUM_BYTES : 0));
  }

  #rest(length: number): void {
    this.#held = 0;
    this.#left = length;
    this.#part = 'rest';
    if (length === 0) this.#next();
  }

  #next(): void {
    this.#held = 0;
    this.#part = this.#isLast ? 'start' : 'block';
    if (this.#isLast) this.ended += 1;
  }
}
