/** Writes `current`: one write at a time, and only over what this process knows. */
import { type Current, readCurrent } from './current.ts';
import { type Found, JSON_OBJECT, jsonBytes } from './json-object.ts';
import { CURRENT_KEY } from './keys.ts';
import type { ObjectStore } from './object-store.ts';

/** Small, so it is stored soon or not at all. */
const PATIENCE = { timeoutMs: 3_500, attempts: 2 };

interface PointerOptions {
  store: Pick<ObjectStore, 'get' | 'put'>;
  /** Whether the store obeys conditions. If not, `confirm` is the only protection. */
  isConditional: () => boolean;
  /** Throws if another machine is the writer. */
  confirm: () => Promise<unknown>;
}

export class CurrentPointer {
  readonly #options: PointerOptions;
  #found: Found<Current> | null = null;
  /** Whether a write failed, which may have been stored nevertheless. */
  #isDoubtful = false;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: PointerOptions) {
    this.#options = options;
  }

  get value(): Current | null {
    return this.#found?.value ?? null;
  }

  /** Reads what is stored. */
  async load(): Promise<void> {
    this.#found = await readCurrent(this.#options.store, PATIENCE);
    this.#isDoubtful = false;
  }

  /** @param change Makes the new value from the last one, once no other write is left. Null to write nothing. */
  write(change: (last: Current | null) => Current | null): Promise<void> {
    const writing = this.#writing.catch(() => undefined).then(() => this.#write(change));
    this.#writing = writing;
    return writing;
  }

  async #write(change: (last: Current | null) => Current | null): Promise<void> {
    const { store, isConditional, confirm } = this.#options;
    if (this.#isDoubtful) await this.load();
    await confirm();
    const value = change(this.value);
    if (!value) return;
    const condition = isConditional() ? { ifMatch: this.#found?.etag ?? null } : {};
    this.#isDoubtful = true;
    const { etag } = await store.put(CURRENT_KEY, jsonBytes(value), {
      ...JSON_OBJECT,
      ...PATIENCE,
      ...condition,
    });
    this.#found = { value, etag };
    this.#isDoubtful = false;
  }
}
