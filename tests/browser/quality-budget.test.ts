/** What the pages that most people open cost. */
import type { Browser } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openPage, theBrowser } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

/** Bytes of a page with everything that it loads, as they are sent. */
const BUDGET = 60_000;

let browser: Browser;
let site: Site;

beforeAll(async () => {
  browser = await theBrowser();
  site = await aSite({ operators: 60 });
  return () => site.stop();
});

test.each([
  ['/', 360],
  ['/', 1440],
  ['/leaderboard/30d/yield', 1440],
  ['/operators/synthetic-otter', 1440],
  ['/satellite/', 360],
])('%s at %i px costs no more than it may', async (path, width) => {
  const viewport = { width, height: 900 };
  const { page } = await openPage(browser, site.url, { viewport });
  const costs: Promise<[path: string, bytes: number]>[] = [];
  page.on('requestfinished', (request) => {
    const cost = request.sizes().then(({ responseHeadersSize, responseBodySize }) => {
      const bytes = responseHeadersSize + responseBodySize;
      return [new URL(request.url()).pathname, bytes] as [string, number];
    });
    costs.push(cost);
  });

  await page.goto(site.url + path, { waitUntil: 'networkidle' });
  const sizes = await Promise.all(costs);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);

  expect(sizes.length).toBeGreaterThan(1);
  expect([total <= BUDGET, sizes]).toEqual([true, sizes]);
});
