/** The targets of links on pages. */
import type { BrowserContext } from 'playwright-core';
import type { Look } from './looking.ts';
import type { NamedView } from './view.ts';

interface Target {
  status: number;
  /** The possible targets of links within it. */
  ids: ReadonlySet<string>;
}

/** Completed requests, by visitor. */
const asked = new Map<string, Promise<Target>>();

/** Links of a page to targets on the site that do not exist. */
export async function linkFaults(
  { page, html, status }: Look,
  { as = '', act }: NamedView,
): Promise<string[]> {
  // After one failure of a board, others may follow.
  if (status >= 500) return [];
  const here = page.url().split('#', 1)[0] ?? '';
  const links = await page.evaluate(() => {
    const found = document.querySelectorAll('[href]:not(use), img[src], form:not([method=post])');
    const addresses = [...found].map((element) => {
      return (
        element.getAttribute('href') ??
        element.getAttribute('src') ??
        element.getAttribute('action')
      );
    });
    return addresses.map((address) => new URL(address ?? '', document.baseURI).href);
  });
  const { origin } = new URL(here);
  const faults = [...new Set(links)].map(async (link) => {
    if (new URL(link).origin !== origin) return [];
    const [address = '', anchor] = link.split('#', 2);
    // The target of a visit may be private to that visitor.
    const who = act ? here : as;
    const target =
      address === here ? targetOf(200, html) : await targetAt(page.context(), address, who);
    return faultsOf(target, link, anchor);
  });
  return (await Promise.all(faults)).flat();
}

async function targetAt(
  { request }: BrowserContext,
  address: string,
  who: string,
): Promise<Target> {
  const key = `${who} ${address}`;
  const known = asked.get(key);
  if (known) return known;
  const answer = request.get(address, { maxRedirects: 0 }).then(async (response) => {
    const html = isPage(response.headers()['content-type']) ? await response.text() : '';
    return targetOf(response.status(), html);
  });
  asked.set(key, answer);
  return answer;
}

function targetOf(status: number, html: string): Target {
  return { status, ids: new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)) };
}

/**
 * Follows the links of a site from its front page, as a visitor who is not signed in. Returns the broken ones. Links on
 * pages whose address has a query are not followed, because they are the same as without it.
 */
export async function crawl(origin: string): Promise<string[]> {
  const targets = new Map<string, Target>();
  const links = new Map([[`${origin}/`, 'nowhere']]);
  // A map's iteration includes what is added to it meanwhile.
  for (const [link] of links) {
    const [address = ''] = link.split('#', 1);
    if (targets.has(address)) continue;
    const response = await fetch(address, { redirect: 'manual' });
    const html = isPage(response.headers.get('content-type')) ? await response.text() : '';
    if (html === '') await response.body?.cancel();
    targets.set(address, targetOf(response.status, html));
    if (address.includes('?')) continue;
    for (const next of linksIn(html, address)) if (!links.has(next)) links.set(next, address);
  }
  return [...links].flatMap(([link, from]) => {
    const [address = '', anchor] = link.split('#', 2);
    const target = targets.get(address);
    return target ? faultsOf(target, link, anchor).map((fault) => `${from}: ${fault}`) : [];
  });
}

function linksIn(html: string, base: string): string[] {
  const found = html.matchAll(/<(?:a|img|link|script)\b[^>]*?\s(?:href|src)="([^"]+)"/g);
  const { origin } = new URL(base);
  return [...found].flatMap(([, address = '']) => {
    const url = new URL(address.replaceAll(/&amp;|&#38;/g, '&'), base);
    return url.origin === origin ? [url.href] : [];
  });
}

function isPage(type: string | null | undefined): boolean {
  return type?.startsWith('text/html') ?? false;
}

function faultsOf({ status, ids }: Target, link: string, anchor: string | undefined): string[] {
  if (status >= 400) return [`${link} answers ${status}`];
  return anchor && status < 300 && !ids.has(anchor) ? [`${link} leads to no place`] : [];
}
