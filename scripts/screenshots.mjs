// Photographs the board with invented operators.
//   node scripts/screenshots.mjs        makes public/board.png, the picture of the README
//   node scripts/screenshots.mjs OUT    puts a picture of every page and state into the folder OUT,
//                                       and fails on console messages, foreign requests and sideways scrolling
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import chromium from '@sparticuz/chromium';
import { chromium as browserType } from 'playwright-core';
import { build } from './build.mjs';
import { ROOT, childNode, ensureNode } from './runtime.mjs';

const DESK = { width: 1440, height: 900 };
const TABLET = { width: 900, height: 1000 };
const PHONE = { width: 360, height: 780 };
const SMALLEST = { width: 320, height: 640 };

/** A taller picture is more than the browser can take. */
const MAX_HEIGHT = 8000;

const faults = [];

ensureNode();
await build();
// Imports TypeScript, which only the Node that is ensured above can read.
const synthetic = await import('./synthetic-board.mjs');
const browser = await browserType.launch({
  executablePath: process.env.CHROME_PATH ?? (await chromium.executablePath()),
  args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  // The package unpacks its font there, and the same font makes the same picture everywhere.
  env: { ...process.env, XDG_DATA_HOME: tmpdir() },
});
try {
  const [out] = process.argv.slice(2);
  if (out === undefined) await photographForReadme();
  else await photographAll(out);
} finally {
  await browser.close();
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;

async function photographForReadme() {
  await withBoard({ operators: 40 }, async (board) => {
    const page = await openPage(board, { viewport: DESK });
    await page.goto(`${board.url}/`);
    await page.screenshot({ path: join(ROOT, 'public', 'board.png') });
  });
}

async function photographAll(out) {
  mkdirSync(out, { recursive: true });
  for (const operators of [0, 1, 4, 30, 300]) {
    await withBoard({ operators }, async (board) => {
      await photograph(board, '/', join(out, `board-${operators}`));
      if (operators === 300) await photographPages(board, out);
    });
  }
  await withBoard({ operators: 3, newcomers: 1 }, (board) =>
    photograph(board, '/', join(out, 'board-all-unranked')),
  );
  await withBoard({ operators: 12, lastDaysAgo: 10 }, (board) =>
    photograph(board, '/leaderboard/7d/yield', join(out, 'board-empty-window')),
  );
}

async function photographPages(board, out) {
  const pages = {
    snr: '/leaderboard/90d/snr',
    dev10x: '/leaderboard/all_time/dev10x',
    'cursor-expired': '/leaderboard/30d/yield?after=0.50',
    'not-found': '/nothing/here',
    'unknown-board': '/leaderboard/1d/yield',
    problem: '/problems/audience_mismatch',
    methodology: '/methodology',
    science: '/science',
    developers: '/developers',
    login: '/login',
    'link-invalid': '/login/link?token=nothing',
  };
  for (const [name, path] of Object.entries(pages)) {
    await photograph(board, path, join(out, name));
  }
  const context = await openPage(board, { viewport: DESK });
  await context.goto(`${board.url}/`);
  await context.click('a[rel=next]');
  await photograph(
    board,
    new URL(context.url()).pathname + new URL(context.url()).search,
    join(out, 'board-next'),
  );
  await photographSettings(board, out);
}

/** Signs in as somebody without a device and as somebody with some, and uses every form. */
async function photographSettings(board, out) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries({ desk: DESK, phone: PHONE })) {
      const name = (state) => join(out, `settings-${state}-${size}-${colorScheme}.png`);
      const codename = `synthetic-new-${size}-${colorScheme}`;
      const page = await openPage(board, { viewport, colorScheme });
      await page.goto(synthetic.loginLink(board, codename, true));
      await page.screenshot({ path: join(out, `link-${size}-${colorScheme}.png`), fullPage: true });
      await page.click('button');
      await shoot(page, name('no-device'));
      await page.click('button[value=new-key]');
      await shoot(page, name('code'));

      const known = await openPage(board, { viewport, colorScheme });
      await known.goto(synthetic.loginLink(board, synthetic.codenameOf(0), false));
      await known.click('button');
      await shoot(known, name('devices'));
      await known.click('text=Revoke');
      await shoot(known, name('revoke'));
      await known.fill('#confirm', 'somebody');
      await known.click('button[value=revoke]');
      await shoot(known, name('revoke-refused'));
    }
  }
}

async function photograph(board, path, name) {
  const sizes = { desk: DESK, tablet: TABLET, phone: PHONE, smallest: SMALLEST };
  for (const colorScheme of ['light', 'dark']) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const page = await openPage(board, { viewport, colorScheme });
      await page.goto(board.url + path);
      await shoot(page, `${name}-${size}-${colorScheme}.png`);
      await page.context().close();
    }
  }
}

async function shoot(page, path) {
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  if (overflow > 0) faults.push(`${path}: ${overflow} px too wide`);
  const { width } = page.viewportSize();
  const height = Math.min(await page.evaluate('document.documentElement.scrollHeight'), MAX_HEIGHT);
  await page.screenshot({ path, fullPage: true, clip: { x: 0, y: 0, width, height } });
}

/** A page whose console and requests are watched. */
async function openPage({ url }, options) {
  const page = await (await browser.newContext(options)).newPage();
  page.on('console', (message) => {
    // The browser itself reports the status of a page that is meant to be refused.
    if (message.text().startsWith('Failed to load resource: the server responded')) return;
    faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) faults.push(`${page.url()} asks for ${request.url()}`);
  });
  return page;
}

/** Serves a board of invented operators while `use` runs. */
async function withBoard(people, use) {
  const dataDir = mkdtempSync(join(tmpdir(), 'opbench-pictures-'));
  const ctx = synthetic.openBoard(dataDir);
  await synthetic.fillBoard(ctx, people);
  synthetic.publishEarlier(ctx);
  const server = spawn(childNode(), [join(ROOT, 'dist', 'server', 'entry.mjs')], {
    env: { DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = await once(createInterface(server.stdout), 'line');
    const url = /\S+$/.exec(line)?.[0] ?? '';
    await use({ url, ctx });
  } finally {
    server.kill();
    await once(server, 'exit');
    ctx.store.close();
    rmSync(dataDir, { recursive: true });
  }
}
