import type { PreparedResponse } from '../http/response/prepared-response.ts';

/** The most pages kept, and their most bytes (64 MiB) in all encodings. */
const MAX_PAGES = 500;
const MAX_BYTES = 64 * 1024 * 1024;

interface Kept {
  page: PreparedResponse;
  isRead: boolean;
}

/**
 * Keeps prepared pages by address. Concurrent requests share one rendering. If there are too many pages, the least
 * recently read are dropped first.
 */
export class Pages {
  /** The version of what all pages contain, such as the board's name, when the first of these was made. */
  readonly version: string;
  readonly #making = new Map<string, Promise<PreparedResponse>>();
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(version = '') {
    this.version = version;
  }

  /** Whether somebody has read the page of an address. */
  isRead(address: string): boolean {
    return this.#kept.get(address)?.isRead ?? false;
  }

  /** Adds a page that nobody has read yet. */
  add(address: string, page: PreparedResponse): void {
    this.#keep(address, { page, isRead: false });
  }

  /** Returns the page of an address if it is kept. */
  find(address: string): PreparedResponse | undefined {
    const kept = this.#kept.get(address);
    if (!kept) return undefined;
    kept.isRead = true;
    this.#kept.delete(address);
    this.#kept.set(address, kept);
    return kept.page;
  }

  /** Returns the page of an address, made if it is not kept. Only pages with status 200 are kept. */
  read(address: string, make: () => Promise<PreparedResponse>): Promise<PreparedResponse> {
    const found = this.find(address);
    if (found) return Promise.resolve(found);
    const making = this.#making.get(address) ?? this.#make(address, make());
    this.#making.set(address, making);
    return making;
  }

  async #make(address: string, making: Promise<PreparedResponse>): Promise<PreparedResponse> {
    try {
      const page = await making;
      if (page.status === 200) this.#keep(address, { page, isRead: true });
      return page;
    } finally {
      this.#making.delete(address);
    }
  }

  #keep(address: string, kept: Kept): void {
    this.#kept.set(address, kept);
    this.#bytes += sizeOf(kept.page);
    for (const [oldest, { page }] of this.#kept) {
      if (this.#kept.size <= MAX_PAGES && this.#bytes <= MAX_BYTES) return;
      this.#kept.delete(oldest);
      this.#bytes -= sizeOf(page);
    }
  }
}

/** The size in all encodings. Small pages have only one. */
function sizeOf({ encodings }: PreparedResponse): number {
  const different = new Set(Object.values(encodings));
  return [...different].reduce((sum, { bytes }) => sum + bytes.length, 0);
}
