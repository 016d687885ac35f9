/**
 * Numbers and texts in blocks of memory that threads share. Blocks only grow: what was written once never changes, so
 * a publication can refer to it while the next one is made.
 */

/** A block has 2^21 numbers (16 MiB), so that a position of 32 bits reaches 32 GiB. */
const BLOCK_BITS = 21;
const BLOCK_NUMBERS = 2 ** BLOCK_BITS;
const TEXT_BITS = 20;
const BLOCK_BYTES = 2 ** TEXT_BITS;

/** Positions begin at 1, and 0 means none. */
const FIRST = 1;

export type NumberBlocks = readonly Float64Array<SharedArrayBuffer>[];
export type TextBlocks = readonly Uint8Array<SharedArrayBuffer>[];
export type SlotColumn = Uint32Array<SharedArrayBuffer>;

export function blockAt(blocks: NumberBlocks, position: number): Float64Array<SharedArrayBuffer> {
  return blocks[position >>> BLOCK_BITS] as Float64Array<SharedArrayBuffer>;
}

export function indexAt(position: number): number {
  return position & (BLOCK_NUMBERS - 1);
}

/** Where a list of numbers begins. */
export interface BlockPlace {
  numbers: Float64Array<SharedArrayBuffer>;
  at: number;
}

export function placeAt(blocks: NumberBlocks, position: number): BlockPlace {
  return { numbers: blockAt(blocks, position), at: indexAt(position) };
}

/**
 * The list of numbers at a position, not a copy of it.
 *
 * @param lengthOf Reads from the list how long it is.
 */
export function listAt(
  blocks: NumberBlocks,
  position: number,
  lengthOf: (place: BlockPlace) => number,
): Float64Array<SharedArrayBuffer> {
  const place = placeAt(blocks, position);
  return place.numbers.subarray(place.at, place.at + lengthOf(place));
}

export function numberAt(blocks: NumberBlocks, position: number): number {
  return blockAt(blocks, position)[indexAt(position)] as number;
}

export function sharedColumn(length: number): SlotColumn {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT));
}

/** A copy with room for more slots, or of the first ones only. */
export function resizedColumn(column: SlotColumn, length: number): SlotColumn {
  const resized = sharedColumn(length);
  resized.set(column.subarray(0, length));
  return resized;
}

/** The writing side of numbers. */
export class NumberHeap {
  readonly blocks: Float64Array<SharedArrayBuffer>[];
  #next: number;

  /** @param next The first free position, if there are blocks already. */
  constructor(blocks: NumberBlocks = [], next = FIRST) {
    this.blocks = [...blocks];
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Adds blocks that another thread wrote. Returns what their positions must be moved by. */
  append(blocks: NumberBlocks, next: number): number {
    const moved = this.blocks.length * BLOCK_NUMBERS;
    this.blocks.push(...blocks);
    this.#next = Math.max(FIRST, moved + next);
    return moved;
  }

  /** Writes the first numbers of a list, which no block boundary separates. Returns their position. */
  write(numbers: Float64Array, length: number): number {
    if (indexAt(this.#next) + length > BLOCK_NUMBERS) {
      this.#next = ((this.#next >>> BLOCK_BITS) + 1) * BLOCK_NUMBERS;
    }
    const position = this.#next;
    if (position >>> BLOCK_BITS === this.blocks.length) {
      this.blocks.push(newNumberBlock());
    }
    const block = blockAt(this.blocks, position);
    const at = indexAt(position);
    for (let index = 0; index < length; index += 1) block[at + index] = numbers[index] as number;
    this.#next = position + length;
    return position;
  }
}

/** The writing side of texts. Each ends with a zero byte. */
export class TextHeap {
  readonly blocks: Uint8Array<SharedArrayBuffer>[];
  #next: number;

  constructor(blocks: TextBlocks = [], next = FIRST) {
    this.blocks = [...blocks];
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }

  /** Returns the position of a text. */
  write(text: string): number {
    const bytes = Buffer.from(text);
    const room = BLOCK_BYTES - (this.#next & (BLOCK_BYTES - 1));
    if (bytes.length + 1 > room) this.#next = ((this.#next >>> TEXT_BITS) + 1) * BLOCK_BYTES;
    const position = this.#next;
    const block = position >>> TEXT_BITS;
    if (block === this.blocks.length) this.blocks.push(newTextBlock());
    this.blocks[block]?.set(bytes, position & (BLOCK_BYTES - 1));
    this.#next = position + bytes.length + 1;
    return position;
  }
}

export function textAt(blocks: TextBlocks, position: number): string {
  const block = blocks[position >>> TEXT_BITS] as Uint8Array<SharedArrayBuffer>;
  const at = position & (BLOCK_BYTES - 1);
  return Buffer.from(block.buffer, at, block.indexOf(0, at) - at).toString();
}

/** The positions of all texts that contain a text, once each, as UTF-8. */
export function* positionsOf(blocks: TextBlocks, wanted: string): Generator<number> {
  for (const [number, block] of blocks.entries()) {
    const bytes = Buffer.from(block.buffer);
    for (let at = bytes.indexOf(wanted); at >= 0;) {
      const begin = bytes.lastIndexOf(0, at) + 1;
      yield number * BLOCK_BYTES + begin;
      const end = bytes.indexOf(0, at);
      at = end < 0 ? -1 : bytes.indexOf(wanted, end);
    }
  }
}

/** The bytes from one position to before another. */
export function bytesBetween(
  blocks: NumberBlocks | TextBlocks,
  from: number,
  to: number,
): Uint8Array<SharedArrayBuffer>[] {
  const [first] = blocks;
  if (!first) return [];
  const unit = first.BYTES_PER_ELEMENT;
  const length = first.byteLength;
  const pieces = blocks.map((block, number) => {
    const begin = Math.max(0, from * unit - number * length);
    const end = Math.min(length, to * unit - number * length);
    return new Uint8Array(block.buffer, Math.min(begin, length), Math.max(0, end - begin));
  });
  return pieces.filter((piece) => piece.length > 0);
}

/** Blocks that have everything up to a position, beginning with the given ones. */
export function numberBlocksUpTo(
  blocks: NumberBlocks,
  to: number,
): Float64Array<SharedArrayBuffer>[] {
  const more = blocksFor(to, BLOCK_NUMBERS) - blocks.length;
  const added = Array.from({ length: Math.max(0, more) }, () => newNumberBlock());
  return [...blocks, ...added];
}

export function textBlocksUpTo(blocks: TextBlocks, to: number): Uint8Array<SharedArrayBuffer>[] {
  const more = blocksFor(to, BLOCK_BYTES) - blocks.length;
  const added = Array.from({ length: Math.max(0, more) }, () => newTextBlock());
  return [...blocks, ...added];
}

function newNumberBlock(): Float64Array<SharedArrayBuffer> {
  return new Float64Array(new SharedArrayBuffer(BLOCK_NUMBERS * Float64Array.BYTES_PER_ELEMENT));
}

function newTextBlock(): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(BLOCK_BYTES));
}

function blocksFor(to: number, length: number): number {
  return to <= FIRST ? 0 : Math.ceil(to / length);
}
