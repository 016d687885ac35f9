import type { Finished } from '../finished.ts';

/** Pages kept at once; the least recently read one is forgotten first. */
const MAX_PAGES = 500;

/** Pages finished on first request: rendered once however many ask, and forgotten with their edition. */
export class PageMemo<Edition extends object> {
  #edition: Edition | null = null;
  #pages = new Map<string, Promise<Finished>>();

  /** The page of an address; a page that is not a 200 is not kept. */
  read(edition: Edition, address: string, make: () => Promise<Finished>): Promise<Finished> {
    if (this.#edition !== edition) {
      this.#edition = edition;
      this.#pages = new Map();
    }
    const pages = this.#pages;
    const known = pages.get(address);
    pages.delete(address);
    const page = known ?? make();
    pages.set(address, page);
    if (!known) void forgetUnlessFine(pages, address, page);
    if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value ?? '');
    return page;
  }
}

async function forgetUnlessFine(
  pages: Map<string, Promise<Finished>>,
  address: string,
  page: Promise<Finished>,
): Promise<void> {
  const fine = await page.then(
    ({ status }) => status === 200,
    () => false,
  );
  if (!fine && pages.get(address) === page) pages.delete(address);
}
