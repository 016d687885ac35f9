/** Opens the views of a site in a browser. */
import type { Browser, Page, Response } from 'playwright-core';
import { type Misdeeds, type WatchedPage, openPage } from './browser.ts';
import type { Site } from './site.ts';
import type { NamedView, View } from './view.ts';

export interface LookOptions {
  width?: number;
  dark?: boolean;
  script?: boolean;
}

/** A page as it was sent. */
export interface Sent {
  html: string;
  status: number;
}

/** A view as a visitor sees it. */
export interface Look extends Sent {
  page: Page;
  misdeeds: Misdeeds;
  policy: string | undefined;
  /** Opens the same view as another visitor or on another device. */
  again(options: LookOptions): Promise<Look>;
  close(): Promise<void>;
}

/** What is recorded about a page while it loads. */
export interface Noted {
  shift: number;
  violations: string[];
}

/** Opens a view as a new visitor. */
export async function look(
  site: Site,
  browser: Browser,
  view: NamedView,
  options: LookOptions = {},
): Promise<Look> {
  const { page, misdeeds } = await aVisitor(site, browser, view, options);
  const answers: Response[] = [];
  page.on('response', (response) => {
    const isOnward = response.status() >= 300 && response.status() < 400;
    if (response.request().isNavigationRequest() && !isOnward) answers.push(response);
  });
  await page.goto(site.url + view.path);
  await view.act?.(page, site);
  // What a script fetches is part of the page.
  if ((await page.locator('script[src]').count()) > 0) await page.waitForLoadState('networkidle');
  const answer = answers.at(-1);
  if (!answer) throw new Error('Nothing answered');
  return {
    page,
    misdeeds,
    html: await answer.text(),
    status: answer.status(),
    policy: answer.headers()['content-security-policy'],
    again: (others) => look(site, browser, view, others),
    close: () => page.context().close(),
  };
}

/** The page of a view as it is sent, without a browser. */
export async function ask(site: Site, { path, as, headers }: View): Promise<Sent> {
  const cookie = await cookieOf(site, as);
  const response = await fetch(site.url + path, {
    headers: { ...headers, ...(cookie && { cookie: `${cookie.name}=${cookie.value}` }) },
    redirect: 'manual',
  });
  return { html: await response.text(), status: response.status };
}

/** An empty page of the visitor who sees a view. */
async function aVisitor(
  site: Site,
  browser: Browser,
  { as, headers }: View,
  { width = 1280, dark = false, script = true }: LookOptions,
): Promise<WatchedPage> {
  const visitor = await openPage(browser, site.url, {
    viewport: { width, height: 800 },
    colorScheme: dark ? 'dark' : 'light',
    javaScriptEnabled: script,
    ...(headers && { extraHTTPHeaders: headers }),
  });
  const cookie = await cookieOf(site, as);
  if (cookie) await visitor.page.context().addCookies([cookie]);
  await visitor.page.addInitScript(noteTrouble);
  return visitor;
}

/** The cookie of the operator who sees a view; null for a visitor who is not signed in. */
async function cookieOf(site: Site, as = '') {
  const codename = site.states?.codenames[as];
  return codename === undefined ? null : site.cookieOf(codename);
}

/** Runs in the page before its own scripts. */
function noteTrouble(): void {
  const noted: Noted = { shift: 0, violations: [] };
  Object.assign(globalThis, { noted });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      noted.shift += (entry as { value?: number } & typeof entry).value ?? 0;
  }).observe({ type: 'layout-shift', buffered: true });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    noted.violations.push(`${violatedDirective} ${blockedURI}`);
  });
}

/** What has been recorded about a page so far. */
export function notedIn(page: Page): Promise<Noted> {
  return page.evaluate(() => (globalThis as unknown as { noted: Noted }).noted);
}

/** Does `work` for each item, a few at a time. */
export async function forEachOf<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
