/** Keeps the facts in the object store that pages need in addition to the publication. */
import { publicConfigOf } from '../config/public-config.ts';
import type { AppContext } from '../context.ts';
import { FactsError } from '../facts/facts-error.ts';
import { type FactsIndex, keysOf, readIndex, writeIndex } from '../facts/facts-index.ts';
import type { FactsObject } from '../facts/facts-object.ts';
import { exportFacts } from '../facts/plan-facts.ts';
import { FACTS } from './keys.ts';
import type { ObjectStore } from './object-store.ts';
import type { Transfers } from './transfers.ts';

/** How long a reader may still read objects that are not named any more, until it has loaded what replaced them. */
const FOLLOW_MS = 30_000;
const FACT = { contentType: 'application/octet-stream', cacheControl: 'private, immutable' };

interface StoredFacts {
  key: string;
  index: FactsIndex;
  /** Objects that it does not name any more. */
  obsolete: string[];
}

interface Turn {
  transfers: Transfers;
  confirm(): void;
}

export class FactsUpload {
  readonly #ctx: Pick<AppContext, 'config' | 'store'>;
  readonly #followMs: number;
  /** Objects that are not named any more, and since when. */
  #replaced = new Map<string, number>();
  /** What `current` names; null if that is not known. */
  #stored: Omit<StoredFacts, 'obsolete'> | null = null;
  /** Whether another database made what is stored. */
  #isForeign = false;

  constructor(ctx: Pick<AppContext, 'config' | 'store'>, followMs = FOLLOW_MS) {
    this.#ctx = ctx;
    this.#followMs = followMs;
  }

  /** The index that is in use; null for none. */
  get index(): FactsIndex | null {
    return this.#stored?.index ?? null;
  }

  /**
   * Continues from what another process stored. Without a readable index, or if the store lost an object that it names, all
   * facts are written again.
   */
  async resume(
    store: Pick<ObjectStore, 'get' | 'list'>,
    { key, isForeign }: { key: string | null; isForeign: boolean },
  ): Promise<void> {
    this.#isForeign = isForeign;
    this.#replaced = new Map();
    const found = key === null ? null : await store.get(key);
    this.#stored = null;
    if (key === null || found === null) return;
    try {
      const index = readIndex(key, found.bytes);
      const stored = new Set(await store.list(FACTS));
      if ([...keysOf(index)].every((each) => stored.has(each))) this.#stored = { key, index };
    } catch (error) {
      if (!(error instanceof FactsError)) throw error;
    }
  }

  /** Writes what changed, and the index. Call {@linkcode accept} once `current` names it. */
  async upload({ transfers, confirm }: Turn): Promise<StoredFacts> {
    const { config, store } = this.#ctx;
    const input = {
      store,
      before: this.#stored?.index ?? null,
      recheck: this.#isForeign,
      settings: publicConfigOf(config),
      files: config.siteFiles.map(({ bytes }) => bytes),
    };
    const put = async ({ key, bytes }: FactsObject) => {
      confirm();
      this.#replaced.delete(key);
      await transfers.put(key, bytes, FACT);
    };
    const { index, obsolete } = await exportFacts(input, put);
    await transfers.settled();
    const object = writeIndex(index);
    const { key } = object;
    const before = this.#stored?.key;
    if (key === before) return { key, index, obsolete: [] };
    await put(object);
    return { key, index, obsolete: before === undefined ? obsolete : [...obsolete, before] };
  }

  accept({ key, index, obsolete }: StoredFacts): void {
    this.#stored = { key, index };
    this.#isForeign = false;
    for (const each of obsolete) this.#replaced.set(each, performance.now());
  }

  /** The objects that are not named any more, and that readers may still need. */
  get replaced(): Iterable<string> {
    return this.#replaced.keys();
  }

  get hasUnneeded(): boolean {
    return this.#unneeded(false).length > 0;
  }

  /** Returns the objects to delete: those that no reader needs; if something was hidden, every one that is not named. */
  takeUnneeded(isHiding: boolean): string[] {
    const unneeded = this.#unneeded(isHiding);
    for (const key of unneeded) this.#replaced.delete(key);
    return unneeded;
  }

  #unneeded(isHiding: boolean): string[] {
    const last = isHiding ? Infinity : performance.now() - this.#followMs;
    return [...this.#replaced].filter(([, sinceMs]) => sinceMs <= last).map(([key]) => key);
  }
}
