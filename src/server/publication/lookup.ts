import { pageOfTwin } from '#core/domain/board/markdown-path.ts';
import type { Finished } from '../http/response/prepared-response.ts';
import type { ToMarkdown } from '../markdown/markdown-thread.ts';
import { finishedAddress, isMemorable } from './addresses.ts';
import { PageMemo } from './page-memo.ts';
import type { Edition } from './publisher.ts';
import { finishTwin } from '../markdown/markdown-versions.ts';

export interface LookupOptions {
  baseUrl: string;
  /** What is public now. */
  edition: () => Edition | null;
  /** Files that stay the same until the process ends, by address. */
  assets: ReadonlyMap<string, Finished>;
  /** Renders what is not finished yet. */
  finish: (address: string) => Promise<Finished>;
  toMarkdown: ToMarkdown;
}

export type Lookup = (target: string) => Finished | Promise<Finished> | undefined;

/** Finds the finished bytes of an address: those of the edition, of a file, or those that are kept from the first request on. */
export function createLookup(options: LookupOptions): Lookup {
  const { baseUrl, edition, assets, finish, toMarkdown } = options;
  const memo = new PageMemo<Edition>();
  const thereAt = (address: string, current: Edition | null) => {
    return current?.pages.get(address) ?? assets.get(address);
  };
  const keptAt = (address: string, current: Edition): Promise<Finished> => {
    return memo.read(current, address, () => finishAt(address, current));
  };
  /** A page as Markdown is made of the finished bytes of the page of the same edition, which are kept as it is. */
  const finishAt = async (address: string, current: Edition): Promise<Finished> => {
    const page = pageOfTwin(address);
    if (page === null) return finish(address);
    const html = await (thereAt(page, current) ?? keptAt(page, current));
    return finishTwin(html, { baseUrl, page, day: current.publication.as_of, toMarkdown });
  };
  return (target) => {
    const current = edition();
    const address = finishedAddress(target);
    const page = thereAt(address, current);
    if (page || !current || !isMemorable(address)) return page;
    return keptAt(address, current);
  };
}
