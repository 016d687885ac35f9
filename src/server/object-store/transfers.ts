import type { ObjectStore, PutOptions } from './object-store.ts';

/** How many objects are written at once. Each is in memory meanwhile. */
const AT_ONCE = 8;

/** Writes objects, several at once, and counts them. */
export class Transfers {
  objects = 0;
  bytes = 0;
  readonly #store: Pick<ObjectStore, 'put'>;
  readonly #running = new Set<Promise<void>>();
  #error: unknown = null;

  constructor(store: Pick<ObjectStore, 'put'>) {
    this.#store = store;
  }

  /** Returns once there is room for the next one. Call {@linkcode settled} before anything names the objects. */
  async put(key: string, bytes: Buffer, options: PutOptions = {}): Promise<void> {
    const running = this.#write(key, bytes, options).finally(() => this.#running.delete(running));
    this.#running.add(running);
    if (this.#running.size >= AT_ONCE) await Promise.race(this.#running);
    this.#refuseFailed();
  }

  /** Resolves when all objects are stored. */
  async settled(): Promise<void> {
    await this.ended();
    this.#refuseFailed();
  }

  /** Resolves when nothing is being written, whether or not that succeeded. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  /** The error is kept for the next call, because nobody may wait for this one. */
  async #write(key: string, bytes: Buffer, options: PutOptions): Promise<void> {
    try {
      await this.#store.put(key, bytes, options);
      this.objects += 1;
      this.bytes += bytes.length;
    } catch (error) {
      this.#error ??= error;
    }
  }

  #refuseFailed(): void {
    if (this.#error !== null) throw this.#error;
  }
}
