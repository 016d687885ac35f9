/** A view of a page of a board. */
import type { Page } from 'playwright-core';
import type { Site } from './site.ts';

/** One view of a page. */
export interface View {
  path: string;
  /** Its name in pictures. Default: the path. */
  name?: string;
  /** The site's operator who sees it. Default: a visitor who is not signed in. */
  as?: string;
  /** The status, if not 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether only the slow tests check it, because another view shows nearly the same. */
  isSlow?: boolean;
  /** Whether its figures change from one reading to the next, such as the memory of the process. */
  isLive?: boolean;
  /** The steps before it is checked. */
  act?: (page: Page, site: Site) => Promise<void>;
}

export interface NamedView extends View {
  name: string;
  /** The file of the page, in `src/pages`. */
  page: string;
  /** Whether it is the first of its page, which shows most and is checked by every test. */
  isFirst: boolean;
}

/** The views of each page of a board with operators in these states, by the page's file. */
export type PageViews = Record<string, (states: NonNullable<Site['states']>) => readonly View[]>;
