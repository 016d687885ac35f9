/** Sections of a stored publication. */
import { deserialize, serialize } from 'node:v8';
import { constants } from 'node:zlib';
import { zstdCompressSync, zstdDecompressSync } from '#db/threads/compression.ts';
import type { Store } from '#db/store.ts';

/** Fast rather than small, because stored data is read at most once, after a restart. */
const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Stored publications, in the database or elsewhere. */
export interface Readable {
  publications: Pick<Store['publications'], 'builtOn' | 'kept'> & {
    section(id: number, name: string): Buffer;
  };
}

export type Writable = Pick<Store, 'publications'>;

/** Writes the sections of one publication. */
export class SectionWriter {
  bytes = 0;
  readonly #store: Writable;
  readonly #id: number;

  constructor(store: Writable, id: number) {
    this.#store = store;
    this.#id = id;
  }

  /** Adds a section. Columns may be in shared memory, which only this form allows. */
  addBytes(name: string, pieces: readonly ArrayBufferView[]): void {
    const bytes = Buffer.concat(
      pieces.map(({ buffer, byteOffset, byteLength }) =>
        Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength),
      ),
    );
    const packed = zstdCompressSync(bytes, COMPRESSION);
    this.bytes += packed.length;
    this.#store.publications.addSection(this.#id, name, packed);
  }

  add(name: string, value: unknown): void {
    this.addBytes(name, [serialize(value)]);
  }
}

/** Reads the sections of one publication. */
export class SectionReader {
  /** The bytes that were read. */
  bytes = 0;
  readonly #store: Readable;
  readonly #id: number;

  constructor(store: Readable, id: number) {
    this.#store = store;
    this.#id = id;
  }

  readBytes(name: string): Buffer {
    const packed = this.#store.publications.section(this.#id, name);
    this.bytes += packed.length;
    return zstdDecompressSync(packed);
  }

  readValue(name: string): unknown {
    return deserialize(this.readBytes(name));
  }
}
