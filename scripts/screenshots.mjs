// Takes screenshots of boards with invented operators.
//   node scripts/screenshots.mjs        writes public/board.png, the picture of the README
//   node scripts/screenshots.mjs OUT [NAME ...]
//     writes a screenshot of every page in every state (or of those named) into the folder OUT, and OUT/index.html,
//     which shows them side by side. Fails on console messages, requests to other hosts and horizontal scrolling.
//     Takes minutes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { build } from './build.mjs';
import { ROOT, ensureNode } from './runtime.mjs';

const SIZES = { 1440: 900, 900: 1000, 360: 780, 320: 640 };
const SCHEMES = ['light', 'dark'];
/** The sizes of every view, and extra sizes of a few. */
const USUAL_WIDTHS = [360, 1440];
const ALL_WIDTHS = [320, 360, 900, 1440];

/** The highest picture that the browser can take, in pixels. */
const MAX_HEIGHT = 8000;
/** The number of pages at the same time. */
const AT_ONCE = 2;

const BOARD_SIZES = [0, 1, 4, 30, 3000];

const faults = [];
const pictures = [];

await ensureNode();
await build();
// These import TypeScript and texts as `./notes.md?raw`, which need the Node of ensureNode() and these hooks.
await import('../.config/load-sources.mjs');
const { withSite } = await import('./synthetic-site.mjs');
const { viewsOf } = await import('../tests/support/pages/site-views.ts');
const browser = await launchBrowser();
const [out, ...only] = process.argv.slice(2);
try {
  if (out === undefined) await photographForReadme();
  else await photographAll();
} finally {
  await browser.close();
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

async function photographForReadme() {
  await withSite({ operators: 40 }, async ({ url }) => {
    const page = await openPage(url, { width: 1440, scheme: 'light' });
    await page.goto(`${url}/`);
    await page.screenshot({ path: join(ROOT, 'public', 'board.png') });
  });
}

async function photographAll() {
  mkdirSync(out, { recursive: true });
  for (const operators of BOARD_SIZES) {
    const view = { name: `board-${operators}`, path: '/', isWide: true };
    await photographSite({ operators }, [view]);
  }
  const thin = [{ name: 'board-all-unranked', path: '/', isWide: true }];
  await photographSite({ operators: 3, newcomers: 1 }, thin);
  const old = [{ name: 'board-empty-window', path: '/leaderboard/7d/yield', isWide: true }];
  await photographSite({ operators: 12, lastDaysAgo: 10 }, old);
  await photographSite({ operators: 60, states: true });
  await photographSite({ operators: 0 });
  writeFileSync(join(out, 'index.html'), contactSheet());
}

/** Takes screenshots of some views of a board with these people; by default of all views. */
async function photographSite(people, views) {
  const isWanted = ({ name }) => only.length === 0 || only.includes(name);
  if (views && !views.some(isWanted)) return;
  await withSite(people, async (site) => {
    const left = (views ?? viewsOf(site)).filter(isWanted);
    const work = async () => {
      for (let view = left.shift(); view; view = left.shift()) await photograph(site, view);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
}

/** Takes screenshots of a view in all sizes and color schemes. */
async function photograph(site, view) {
  const { name, headers } = view;
  const page = await openPage(site.url, { width: 1440, scheme: 'light', headers, name });
  try {
    const codename = site.states?.codenames[view.as];
    if (codename) await page.context().addCookies([await site.cookieOf(codename)]);
    await page.goto(site.url + view.path);
    await view.act?.(page, site);
    if ((await page.locator('script[src]').count()) > 0) await page.waitForLoadState('networkidle');
    for (const scheme of SCHEMES) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of view.isWide || view.isFirst ? ALL_WIDTHS : USUAL_WIDTHS) {
        await page.setViewportSize({ width, height: SIZES[width] });
        await shoot(page, { name, width, scheme, file: `${name}-${width}-${scheme}.png` });
      }
    }
  } catch (error) {
    faults.push(`${name}: ${error.message}`);
  }
  await page.context().close();
}

async function shoot(page, picture) {
  const { file, width } = picture;
  const measured = await page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight } = document.documentElement;
    return { overflow: scrollWidth - clientWidth, height: scrollHeight };
  });
  if (measured.overflow > 0) faults.push(`${file}: ${measured.overflow} px too wide`);
  const clip = { x: 0, y: 0, width, height: Math.min(measured.height, MAX_HEIGHT) };
  await page.screenshot({ path: join(out, file), fullPage: true, clip });
  pictures.push(picture);
}

/** A page that reports its console messages and its requests to other hosts. */
async function openPage(url, { width, scheme, headers = {}, name = '' }) {
  const context = await browser.newContext({
    viewport: { width, height: SIZES[width] },
    colorScheme: scheme,
    extraHTTPHeaders: headers,
  });
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  page.on('console', (message) => {
    // The browser logs the error status of pages that are meant to have one.
    if (message.text().startsWith('Failed to load resource: the server responded')) return;
    faults.push(`${name}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) faults.push(`${name} requests ${request.url()}`);
  });
  return page;
}

/** An HTML page with the screenshots of each view side by side. */
function contactSheet() {
  const place = ({ scheme, width }) => 10_000 * SCHEMES.indexOf(scheme) + width;
  const sorted = pictures.toSorted((a, b) => place(a) - place(b));
  const views = Map.groupBy(sorted, ({ name }) => name);
  const rows = [...views].map(
    ([name, shown]) => `<h2>${name}</h2>\n<div>${shown.map(figureOf).join('\n')}</div>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Pictures of ${views.size} views</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 24px; background: #888; }
div { display: flex; gap: 16px; align-items: start; overflow-x: auto; }
figure { margin: 0; }
img { display: block; max-height: 900px; border: 1px solid #444; }
</style>
${rows.join('\n')}
`;
}

function figureOf({ file, scheme, width }) {
  const text = `${width} px, ${scheme}`;
  return `<figure><figcaption>${text}</figcaption><a href="${file}"><img src="${file}" loading="lazy" alt="${text}"></a></figure>`;
}
