/** Limits the memory that request bodies use until they are answered. */
import { BODY_LIMIT_BYTES } from '#core/contract/limits.ts';

const MIB = 1024 * 1024;
/** The limit for all bodies together. */
const MAX_BYTES = 72 * MIB;
/** The limit for the parts of large bodies beyond the usual size, so that there is always room for usual ones. */
const MAX_LARGE_BYTES = 32 * MIB;
/** The limit for one client's large bodies, so that it cannot block all others. */
const MAX_CLIENT_BYTES = 16 * MIB;
/** The first allocation for a body. It grows by this factor, up to the body's limit. */
const FIRST_BYTES = 64 * 1024;
const GROWTH = 4;

let heldBytes = 0;
let largeBytes = 0;
const largeBytesOf = new Map<string, number>();

/** One body, which grows as data arrives and uses memory until it is released. */
export class HeldBody {
  readonly #client: string;
  readonly #limitBytes: number;
  #memory = Buffer.alloc(0);
  #length = 0;

  /** @param client The key by which its share is counted. */
  constructor(client: string, limitBytes: number) {
    this.#client = client;
    this.#limitBytes = limitBytes;
  }

  /** Appends a chunk, which must fit into the body's limit. Returns false if all bodies would need too much memory. */
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

  /** Releases its memory. */
  release(): void {
    this.#count(-this.#memory.length);
    this.#memory = Buffer.alloc(0);
    this.#length = 0;
  }

  /** Allocates more than is needed, so that many small chunks cost no more than one. */
  #growTo(length: number): boolean {
    const more = Math.max(length, FIRST_BYTES, GROWTH * this.#memory.length);
    const grown = Math.min(more, this.#limitBytes);
    if (!this.#count(grown - this.#memory.length)) return false;
    const memory = Buffer.allocUnsafeSlow(grown);
    memory.set(this.bytes);
    this.#memory = memory;
    return true;
  }

  /** Changes the memory counted for this body. Returns false if there is no room. */
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
