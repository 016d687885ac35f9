/** Keeps the facts in the object store that pages need in addition to the publication. */
import { publicConfigOf } from '../config/public-config.ts';
import type { AppContext } from '../context.ts';
import { FactsError } from '../facts/facts-error.ts';
import { type FactsIndex, readIndex, writeIndex } from '../facts/facts-index.ts';
import { exportFacts } from '../facts/plan-facts.ts';
import type { ObjectStore } from './object-store.ts';
import type { Transfers } from './transfers.ts';

const FACT = { contentType: 'application/octet-stream', cacheControl: 'private, immutable' };

interface StoredFacts {
  key: string;
  index: FactsIndex;
  /** Objects that nobody needs any more once readers use the index. */
  obsolete: string[];
}

interface Turn {
  transfers: Transfers;
  confirm(): void;
}

export class FactsUpload {
  readonly #ctx: Pick<AppContext, 'config' | 'store'>;
  /** What `current` names; null if that is not known. */
  #stored: Omit<StoredFacts, 'obsolete'> | null = null;
  /** Whether another database made what is stored. */
  #isForeign = false;

  constructor(ctx: Pick<AppContext, 'config' | 'store'>) {
    this.#ctx = ctx;
  }

  /** The index that is in use; null for none. */
  get index(): FactsIndex | null {
    return this.#stored?.index ?? null;
  }

  /** Continues from what another process stored. Without a readable index, all facts are written again. */
  async resume(
    store: Pick<ObjectStore, 'get'>,
    { key, isForeign }: { key: string | null; isForeign: boolean },
  ): Promise<void> {
    this.#isForeign = isForeign;
    const found = key === null ? null : await store.get(key);
    this.#stored = null;
    if (key === null || found === null) return;
    try {
      this.#stored = { key, index: readIndex(key, found.bytes) };
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
    const { index, obsolete } = await exportFacts(input, async ({ key, bytes }) => {
      confirm();
      await transfers.put(key, bytes, FACT);
    });
    await transfers.settled();
    const { key, bytes } = writeIndex(index);
    const before = this.#stored?.key;
    if (key === before) return { key, index, obsolete: [] };
    await transfers.put(key, bytes, FACT);
    return { key, index, obsolete: before === undefined ? obsolete : [...obsolete, before] };
  }

  accept({ key, index }: StoredFacts): void {
    this.#stored = { key, index };
    this.#isForeign = false;
  }
}
