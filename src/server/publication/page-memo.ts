import type { Finished } from '../http/response/prepared-response.ts';

/** What is kept at once: so many pages, of so many bytes (64 MiB) in all encodings. */
const MAX_PAGES = 500;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Pages finished on first request: rendered once however many ask, and forgotten with their edition. Where
 * there are too many, the least recently read ones are forgotten first.
 */
export class PageMemo<Edition extends object> {
  #edition: Edition | null = null;
  #pages = new Pages();

  /** The page of an address; a page that is not a 200 is not kept, and takes no other's place. */
  read(edition: Edition, address: string, make: () => Promise<Finished>): Promise<Finished> {
    if (this.#edition !== edition) {
      this.#edition = edition;
      this.#pages = new Pages();
    }
    return this.#pages.read(address, make);
  }
}

/** The pages of one edition. */
class Pages {
  readonly #making = new Map<string, Promise<Finished>>();
  readonly #made = new Map<string, Finished>();
  #bytes = 0;

  read(address: string, make: () => Promise<Finished>): Promise<Finished> {
    const made = this.#made.get(address);
    if (made) {
      this.#made.delete(address);
      this.#made.set(address, made);
      return Promise.resolve(made);
    }
    const making = this.#making.get(address) ?? this.#keep(address, make());
    this.#making.set(address, making);
    return making;
  }

  async #keep(address: string, page: Promise<Finished>): Promise<Finished> {
    try {
      const made = await page;
      if (made.status === 200) this.#add(address, made);
      return made;
    } finally {
      this.#making.delete(address);
    }
  }

  #add(address: string, page: Finished): void {
    this.#made.set(address, page);
    this.#bytes += sizeOf(page);
    for (const [oldest, { encodings }] of this.#made) {
      if (this.#made.size <= MAX_PAGES && this.#bytes <= MAX_BYTES) return;
      this.#made.delete(oldest);
      this.#bytes -= sizeOf({ encodings });
    }
  }
}

/** In all encodings; those of small pages are one. */
function sizeOf({ encodings }: Pick<Finished, 'encodings'>): number {
  const different = new Set(Object.values(encodings));
  return [...different].reduce((sum, { bytes }) => sum + bytes.length, 0);
}
