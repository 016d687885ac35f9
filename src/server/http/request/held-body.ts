/** The memory that request bodies take until they are answered. */
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';

const MIB = 1024 * 1024;
/** All bodies together. */
const MAX_BYTES = 72 * MIB;
/** What large bodies have beyond the size of a usual one, so that they leave room for usual ones. */
const MAX_LARGE_BYTES = 32 * MIB;
/** The same of one client, so that none keeps all others from sending. */
const MAX_CLIENT_BYTES = 16 * MIB;
/** The memory of a body begins with so much and grows by this factor, but never past what the body may be. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

let heldBytes = 0;
let largeBytes = 0;
const largeBytesOf = new Map<string, number>();

/** One body: it grows by what arrives, and holds its memory until it is released. */
export class HeldBody {
  readonly #client: string;
  readonly #limitBytes: number;
  #memory = Buffer.alloc(0);
  #length = 0;

  /** @param client What its share is counted by. */
  constructor(client: string, limitBytes: number) {
    this.#client = client;
    this.#limitBytes = limitBytes;
  }

  /**
   * Appends a chunk, which must not pass the limit. Returns false if that would hold too much.
   */
  append(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#memory.length && !this.#growTo(length)) return false;
    this.#memory.set(chunk, this.#length);
    this.#length = length;
    return true;
  }

  get bytes(): Buffer<ArrayBuffer> {
    return this.#memory.subarray(0, this.#length);
  }

  /** Gives its memory back. */
  release(): void {
    this.#count(-this.#memory.length);
    this.#memory = Buffer.alloc(0);
    this.#length = 0;
  }

  /** Grows by more than is needed: many small chunks cost no more than one. */
  #growTo(length: number): boolean {
    const more = Math.max(length, FIRST_BYTES, GROWTH * this.#memory.length);
    const grown = Math.min(more, this.#limitBytes);
    if (!this.#count(grown - this.#memory.length)) return false;
    const memory = Buffer.allocUnsafeSlow(grown);
    memory.set(this.bytes);
    this.#memory = memory;
    return true;
  }

  /** Counts more memory if there is room for it, or less. */
  #count(bytes: number): boolean {
    const before = this.#memory.length;
    const large = largePart(before + bytes) - largePart(before);
    const ofClient = (largeBytesOf.get(this.#client) ?? 0) + large;
    const isLargeTooMuch =
      large > 0 && (ofClient > MAX_CLIENT_BYTES || largeBytes + large > MAX_LARGE_BYTES);
    if (bytes > 0 && (isLargeTooMuch || heldBytes + bytes > MAX_BYTES)) {
      return false;
    }
    heldBytes += bytes;
    largeBytes += large;
    if (ofClient > 0) largeBytesOf.set(this.#client, ofClient);
    else largeBytesOf.delete(this.#client);
    return true;
  }
}

function largePart(bytes: number): number {
  return Math.max(0, bytes - BODY_LIMIT_BYTES);
}
