import chromium from '@sparticuz/chromium';
import { type Browser, type Page, chromium as playwright } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** What a page did that no page of ours may do. */
export interface Misdeeds {
  console: string[];
  /** Requests that left for another origin. */
  foreign: string[];
}

/** A page of a headless Chromium: that of CHROME_PATH, or the one that npm brought. */
export async function aPage(
  origin: string,
  options: { width?: number; script?: boolean; dark?: boolean } = {},
): Promise<{ page: Page; misdeeds: Misdeeds }> {
  const browser = await launch();
  onTestFinished(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    javaScriptEnabled: options.script ?? true,
    colorScheme: options.dark ? 'dark' : 'light',
  });
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

async function launch(): Promise<Browser> {
  const executablePath = process.env['CHROME_PATH'] ?? (await chromium.executablePath());
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return playwright.launch({ executablePath, args: [...chromium.args, ...quiet] });
}

/** How many pixels of the page lie to the right of what is visible. */
export async function overflowOf(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}
