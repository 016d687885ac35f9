import { pageOfTwin } from '#core/domain/twin-path.ts';
import type { Finished } from './finished.ts';
import { finishedAddress, isMemorable } from './publication/addresses.ts';
import { PageMemo } from './publication/page-memo.ts';
import type { Edition } from './publication/publisher.ts';
import { finishTwin } from './twins.ts';

export interface LookupOptions {
  baseUrl: string;
  /** What is public now. */
  edition: () => Edition | null;
  /** Files that stay the same until the process ends, by address. */
  assets: ReadonlyMap<string, Finished>;
  /** Renders what is not finished yet. */
  finish: (address: string) => Promise<Finished>;
}

export type Lookup = (target: string) => Finished | Promise<Finished> | undefined;

/** Finds the finished bytes of an address: those of the edition, of a file, or those that are kept from the first request on. */
export function createLookup({ baseUrl, edition, assets, finish }: LookupOptions): Lookup {
  const memo = new PageMemo<Edition>();
  const lookup: Lookup = (target) => {
    const current = edition();
    const address = finishedAddress(target);
    const page = current?.pages.get(address) ?? assets.get(address);
    if (page || !current || !isMemorable(address)) return page;
    return memo.read(current, address, () => finishAt(address, current));
  };
  /** A page as Markdown is made of the page's finished bytes, which are there or are kept then. */
  const finishAt = async (address: string, { publication }: Edition) => {
    const page = pageOfTwin(address);
    if (page === null) return finish(address);
    const html = (await lookup(page)) ?? (await finish(page));
    return finishTwin(html, { baseUrl, page, day: publication.as_of });
  };
  return lookup;
}
