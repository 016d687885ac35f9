/** The size of the most visited pages, and how they load. */
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { aPage, isPainted, openPage, shiftOf, theBrowser } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

/** The transferred bytes of a page with everything that it loads. */
const BUDGET = 60_000;

/** The bytes of the scripts of a page. */
const SCRIPT_BUDGET = 8_000;

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
  ['/docs/join', 360],
  ['/satellite/', 360],
])('%s at %i px stays within its budget', async (path, width) => {
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

test('no page loads more than 8 kB of our own scripts, before compression', async () => {
  const { page } = await aPage(site.url);
  await page.goto(site.url);
  const shared = await page.locator('head script[src]').getAttribute('src');
  const folder = new URL('../../dist/client/_astro/', import.meta.url);
  const sizes = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, statSync(new URL(name, folder)).size] as const);
  const sizeOf = (part: RegExp) => {
    return sizes.reduce((sum, [name, size]) => sum + (part.test(name) ? size : 0), 0);
  };
  const ofAll = sizeOf(new RegExp(`^${shared?.split('/').at(-1)}$`));
  // Passkeys need a script, so it is not an enhancement, and only pages to sign in load it.
  const ofPasskeys = sizeOf(/passkey|sign-in/i);
  const ofOthers = sizeOf(/./) - ofAll - ofPasskeys;

  expect(ofAll).toBeGreaterThan(0);
  expect([ofAll + ofOthers <= SCRIPT_BUDGET, sizes]).toEqual([true, sizes]);
  expect([ofAll + ofPasskeys <= SCRIPT_BUDGET, sizes]).toEqual([true, sizes]);
});

test('columns do not move while rows arrive, because tables are shown when complete', async () => {
  const slow = await aSlowCopy(site.url);
  const { page } = await aPage(slow.url);

  await page.goto(`${slow.url}/leaderboard/30d/yield`, { waitUntil: 'commit' });
  const hasRows = 'document.querySelectorAll("tbody tr").length > 1';
  await page.waitForFunction(hasRows, null, { polling: 50 });
  const isPaintedEarly = await isPainted(page);
  slow.sendRest();
  await page.waitForLoadState();

  expect([isPaintedEarly, await shiftOf(page)]).toEqual([false, 0]);
  expect(await isPainted(page)).toBe(true);
});

/** A site whose pages stop after the second row of a table, until the rest is sent. */
async function aSlowCopy(url: string): Promise<{ url: string; sendRest(): void }> {
  let sendRest = () => {};
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const answer = await fetch(url + request.url);
    const type = answer.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { 'Content-Type': type });
    if (!type.startsWith('text/html')) return void response.end(bytes);
    const row = bytes.indexOf('</tr>', bytes.indexOf('<tbody'));
    const end = bytes.indexOf('</tr>', row + 1);
    response.write(bytes.subarray(0, end));
    sendRest = () => void response.end(bytes.subarray(end));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, sendRest: () => sendRest() };
}
