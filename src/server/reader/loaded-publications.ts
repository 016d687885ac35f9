import type { Current } from '../object-store/current.ts';
import { publicationKey } from '../object-store/keys.ts';
import { type ObjectStore, ObjectStoreError } from '../object-store/object-store.ts';
import {
  type PublicationObject,
  readableFrom,
  unpackPublication,
} from '../object-store/publication-object.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import {
  type ReadPublication,
  readPublication,
} from '../publication/stored/stored-publications.ts';

/** Publications from the object store, of which only new ones are loaded. */
export class LoadedPublications {
  readonly #store: Pick<ObjectStore, 'get'>;
  /** The claim of the machine that wrote them. */
  #writer = '';
  #read = new Map<number, ReadPublication>();

  constructor(store: Pick<ObjectStore, 'get'>) {
    this.#store = store;
  }

  /**
   * Returns the kept publications, oldest first.
   *
   * @throws {ObjectStoreError} if one is missing or damaged.
   */
  async load({ chain, kept, writer }: Current): Promise<ReadPublication[]> {
    // Another writer continues from its own copy, in the memory that earlier publications share.
    if (writer !== this.#writer) this.forget();
    this.#writer = writer;
    if (!this.#isContinuedBy(chain, kept)) this.forget();
    const missing = chain.filter((id) => id > this.#newest);
    const objects = await Promise.all(missing.map((id) => this.#load(id)));
    await this.#readAll(objects);
    for (const id of this.#read.keys()) if (!kept.includes(id)) this.#read.delete(id);
    return kept.map((id) => this.#read.get(id) ?? refuseMissing(id));
  }

  forget(): void {
    this.#read = new Map();
  }

  /** Whether what was read is a part of a chain, or what is missing begins with an image. */
  #isContinuedBy(chain: readonly number[], kept: readonly number[]): boolean {
    const newest = this.#newest;
    const isPart = chain.includes(newest) || (chain[0] ?? 0) > newest;
    return isPart && kept.every((id) => this.#read.has(id) || id > newest);
  }

  get #newest(): number {
    return Math.max(0, ...this.#read.keys());
  }

  async #load(id: number): Promise<PublicationObject> {
    const found = await this.#store.get(publicationKey(id));
    return found ? unpackPublication(found.bytes) : refuseMissing(id);
  }

  /** Reads them in the order in which they build on each other. */
  async #readAll(objects: readonly PublicationObject[]): Promise<void> {
    const readable = readableFrom(objects, []);
    let before = this.#read.get(this.#newest) ?? null;
    for (const { head } of objects) {
      before = readPublication(readable, head, head.id === head.base ? null : before);
      this.#read.set(head.id, before);
      await yieldToEventLoop();
    }
  }
}

function refuseMissing(id: number): never {
  throw new ObjectStoreError('refused', `The object store has no publication ${id}.`);
}
