import { pageOfMarkdown } from '#core/contract/site-routes.ts';
import type { PreparedResponse } from '../http/response/prepared-response.ts';
import type { ToMarkdown } from '../markdown/markdown-thread.ts';
import { prepareMarkdown } from '../markdown/markdown-versions.ts';
import { LASTING, isMemorable, preparedAddress } from './addresses.ts';
import type { Edition } from './publisher.ts';

interface LookupOptions {
  baseUrl: string;
  edition: () => Edition | null;
  assets: ReadonlyMap<string, PreparedResponse>;
  finish: (address: string) => Promise<PreparedResponse>;
  toMarkdown: ToMarkdown;
}

type Lookup = (target: string) => PreparedResponse | Promise<PreparedResponse> | undefined;

/** Finds the prepared bytes of an address: those of the edition, of a file, or those kept since the first request. */
export function createLookup(options: LookupOptions): Lookup {
  const { baseUrl, edition, assets, finish, toMarkdown } = options;
  const memo = new PageMemo<Edition>();
  const always = new Pages();
  const thereAt = (address: string, current: Edition | null) => {
    return current?.pages.get(address) ?? assets.get(address);
  };
  const keptAt = (address: string, current: Edition): Promise<PreparedResponse> => {
    return memo.read(current, address, () => finishAt(address, current));
  };
  /** Makes a Markdown version from the prepared page of the same edition. It is kept in the same way. */
  const finishAt = async (address: string, current: Edition): Promise<PreparedResponse> => {
    const page = pageOfMarkdown(address);
    if (page === null) return finish(address);
    const html = await (thereAt(page, current) ?? keptAt(page, current));
    return prepareMarkdown(html, { baseUrl, page, day: current.publication.as_of, toMarkdown });
  };
  return (target) => {
    const current = edition();
    const address = preparedAddress(target);
    const page = thereAt(address, current);
    if (page) return page;
    if (LASTING.has(address)) return always.read(address, () => finish(address));
    return current && isMemorable(address) ? keptAt(address, current) : undefined;
  };
}

/** The most pages kept, and their most bytes (64 MiB) in all encodings. */
const MAX_PAGES = 500;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Keeps pages prepared on first request. Concurrent requests share one rendering, and pages are dropped with their
 * edition. If there are too many, the least recently read are dropped first.
 */
export class PageMemo<Edition extends object> {
  #edition: Edition | null = null;
  #pages = new Pages();

  /** Returns the page of an address. Only pages with status 200 are kept. */
  read(
    edition: Edition,
    address: string,
    make: () => Promise<PreparedResponse>,
  ): Promise<PreparedResponse> {
    if (this.#edition !== edition) {
      this.#edition = edition;
      this.#pages = new Pages();
    }
    return this.#pages.read(address, make);
  }
}

class Pages {
  readonly #making = new Map<string, Promise<PreparedResponse>>();
  readonly #made = new Map<string, PreparedResponse>();
  #bytes = 0;

  read(address: string, make: () => Promise<PreparedResponse>): Promise<PreparedResponse> {
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

  async #keep(address: string, page: Promise<PreparedResponse>): Promise<PreparedResponse> {
    try {
      const made = await page;
      if (made.status === 200) this.#add(address, made);
      return made;
    } finally {
      this.#making.delete(address);
    }
  }

  #add(address: string, page: PreparedResponse): void {
    this.#made.set(address, page);
    this.#bytes += sizeOf(page);
    for (const [oldest, { encodings }] of this.#made) {
      if (this.#made.size <= MAX_PAGES && this.#bytes <= MAX_BYTES) return;
      this.#made.delete(oldest);
      this.#bytes -= sizeOf({ encodings });
    }
  }
}

/** The size in all encodings. Small pages have only one. */
function sizeOf({ encodings }: Pick<PreparedResponse, 'encodings'>): number {
  const different = new Set(Object.values(encodings));
  return [...different].reduce((sum, { bytes }) => sum + bytes.length, 0);
}
