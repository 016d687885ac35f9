/** A look at a page of a board. */
import type { Page } from 'playwright-core';
import type { Site } from './site.ts';

/** One look at a page. */
export interface View {
  path: string;
  /** What it is called in pictures; the path, if that says enough. */
  name?: string;
  /** By which of the site's operators it is looked at; by nobody in particular if left out. */
  as?: string;
  /** What it answers, if not 200. */
  status?: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether only the slow tests look at it, since another view shows nearly the same. */
  isSlow?: boolean;
  /** What is done before it is looked at. */
  act?: (page: Page, site: Site) => Promise<void>;
}

export interface NamedView extends View {
  name: string;
  /** The file of the page, in `src/pages`. */
  page: string;
  /** Whether it is the first of its page, which shows most: the one that every test looks at. */
  isFirst: boolean;
}

/** Of a board with operators in these states: the views of each page, by its file. */
export type PageViews = Record<string, (states: NonNullable<Site['states']>) => readonly View[]>;
