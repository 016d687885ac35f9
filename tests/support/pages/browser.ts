import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { launchBrowser } from '../../../scripts/browser.mjs';
import { PATIENCE_MS } from '../board/time.ts';

/** Nothing of ours takes longer, even on a busy computer. */
const TIMEOUT_MS = PATIENCE_MS;

/** What a page did although no page may do it. */
export interface Misdeeds {
  console: string[];
  /** Requests to other origins. */
  foreign: string[];
}

export interface WatchedPage {
  page: Page;
  misdeeds: Misdeeds;
}

const browsers = new Map<string, Promise<Browser>>();

/** A headless Chromium that the files of a worker share. It ends with the process. */
export function theBrowser(...args: string[]): Promise<Browser> {
  const key = args.join(' ');
  const browser = browsers.get(key) ?? launchBrowser(...args);
  browsers.set(key, browser);
  return browser;
}

/** A page of a new visitor, which is closed after the test. */
export async function aPage(
  origin: string,
  options: { width?: number; script?: boolean; dark?: boolean; args?: readonly string[] } = {},
): Promise<WatchedPage> {
  const browser = await theBrowser(...(options.args ?? []));
  const opened = await openPage(browser, origin, {
    viewport: { width: options.width ?? 1280, height: 800 },
    javaScriptEnabled: options.script ?? true,
    colorScheme: options.dark ? 'dark' : 'light',
  });
  onTestFinished(() => opened.page.context().close());
  return opened;
}

/** The same, to be closed by the caller. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const misdeeds: Misdeeds = { console: [], foreign: [] };
  page.on('console', (message) => misdeeds.console.push(message.text()));
  page.on('pageerror', (error) => misdeeds.console.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`)) misdeeds.foreign.push(url);
  });
  return { page, misdeeds };
}

/** The number of pixels of the page beyond the right edge. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/** How much the layout shifted while the page loaded, and shortly after. */
export async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(`new Promise((resolve) => {
    let sum = 0;
    const add = (list) => list.getEntries().forEach(({ value }) => (sum += value));
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(sum), 200);
  })`);
}

/** Whether anything of the page is painted within half a second. */
export async function isPainted(page: Page): Promise<boolean> {
  return page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver(() => resolve(true)).observe({ type: 'paint', buffered: true });
    setTimeout(() => resolve(false), 500);
  })`);
}
