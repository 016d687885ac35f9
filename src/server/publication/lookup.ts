import { pageOfMarkdown } from '#core/contract/site-routes.ts';
import type { Found, Lookup, PreparedResponse } from '../http/response/prepared-response.ts';
import type { ToMarkdown } from '../markdown/markdown-thread.ts';
import { prepareMarkdown } from '../markdown/markdown-versions.ts';
import { LASTING, isMemorable, preparedAddress } from './addresses.ts';
import { Pages } from './pages.ts';
import type { Edition } from './publisher.ts';
import type { Publication } from './read/publication.ts';

interface LookupOptions {
  baseUrl: string;
  edition: () => Edition | null;
  assets: ReadonlyMap<string, PreparedResponse>;
  /** Renders an address from a publication; null for what no publication changes. */
  finish: (address: string, publication: Publication | null) => Promise<PreparedResponse>;
  toMarkdown: ToMarkdown;
  /** Changes with what all pages contain, such as the board's name. Pages of another version are not sent. */
  siteVersion?: () => string;
}

/** Finds the prepared bytes of an address: those of the edition, of a file, or those kept since the first request. */
export function createLookup(options: LookupOptions): Lookup {
  const { baseUrl, edition, assets, finish, toMarkdown, siteVersion = () => '' } = options;
  const always = { pages: new Pages(siteVersion()) };
  const pagesOf = (holder: { pages: Pages }) => {
    const version = siteVersion();
    if (holder.pages.version !== version) holder.pages = new Pages(version);
    return holder.pages;
  };
  const keptAt = (address: string, current: Edition): Promise<PreparedResponse> => {
    return pagesOf(current).read(address, () => finishAt(address, current));
  };
  /** Makes a Markdown version from the prepared page of the same edition. It is kept in the same way. */
  const finishAt = async (address: string, current: Edition): Promise<PreparedResponse> => {
    const { publication } = current;
    const page = pageOfMarkdown(address);
    if (page === null) return finish(address, publication);
    const html = await (assets.get(page) ?? keptAt(page, current));
    return prepareMarkdown(html, { baseUrl, page, day: publication.as_of, toMarkdown });
  };
  /** A page is not sent if an edition that may hide something replaced its own while it was made. */
  const currentAt = async (address: string, current: Edition): Promise<Found> => {
    const page = await keptAt(address, current);
    return edition() === current ? page : lookup(address);
  };
  const lookup: Lookup = (target) => {
    const current = edition();
    const address = preparedAddress(target);
    const page = (current && pagesOf(current).find(address)) ?? assets.get(address);
    if (page) return page;
    if (LASTING.has(address)) return pagesOf(always).read(address, () => finish(address, null));
    return current && isMemorable(address) ? currentAt(address, current) : undefined;
  };
  return lookup;
}
