/** What pages remember on the device, and values, names and times that they show on request. */
import { type Locator, type Page, devices } from 'playwright-core';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { aPage, openPage, theBrowser } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

const BOARD = '/leaderboard/30d/yield';
const OPERATOR = '/operators/synthetic-otter';
const DAY_MS = 24 * 60 * 60_000;

let site: Site;

beforeAll(async () => {
  site = await aSite({ operators: 30 });
  return () => site.stop();
});

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not visible');
  return box;
}

const backgroundOf = (page: Page) => {
  return page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
};

test('a theme stays on the device, is applied before the page is painted, and can follow the system', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.goto(site.url);
  const light = await backgroundOf(page);

  await page.getByLabel('Theme').selectOption('Dark');
  const dark = await backgroundOf(page);
  await page.goto(site.url + BOARD);

  expect(dark).not.toBe(light);
  expect(await backgroundOf(page)).toBe(dark);
  // A script that the parser waits for, ahead of the styles.
  const script = page.locator('head script[src]');
  expect(
    await script.evaluate((one: HTMLScriptElement) => one.type || one.defer || one.async),
  ).toBe(false);
  expect(await page.locator('head script ~ link[rel=stylesheet]').count()).toBeGreaterThan(0);
  await page.getByLabel('Theme').selectOption('System');
  expect(await backgroundOf(page)).toBe(light);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});

test('charts show values on hover and by keyboard, and hide them', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.goto(site.url + OPERATOR);
  const chart = page.locator('.chart.history').first();
  const tip = page.locator('.tip');
  const count = await chart.locator('.values circle').count();

  await chart.hover();
  const hovered = await tip.innerText();
  await page.mouse.move(0, 0);
  const left = await tip.count();
  await chart.focus();
  await page.keyboard.press('ArrowRight');
  const last = await tip.innerText();
  await page.keyboard.press('ArrowLeft');
  const before = await tip.innerText();
  await page.keyboard.press('Escape');

  expect(count).toBeGreaterThan(5);
  expect([hovered, last, before].join('\n')).toMatch(
    /^(?:\d+ \w{3} \d{4}: [\d.,]+(?:, 95% interval .+)?\n?){3}$/,
  );
  expect(before).not.toBe(last);
  expect([left, await tip.count(), await page.locator('.chart .on').count()]).toEqual([0, 0, 0]);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});

test('a tap shows the value of the nearest point, within the screen', async () => {
  const browser = await theBrowser();
  const { page } = await openPage(browser, site.url, devices['Pixel 7'] ?? {});
  onTestFinished(() => page.context().close());
  await page.goto(site.url + OPERATOR);
  const chart = page.locator('.chart.history').first();
  await chart.scrollIntoViewIfNeeded();
  const { width, height } = await boxOf(chart);

  for (const x of [width * 0.15, width - 2]) {
    await chart.tap({ position: { x, y: height / 2 } });
    const tip = await boxOf(page.locator('.tip'));
    expect(tip.x).toBeGreaterThanOrEqual(0);
    expect(tip.x + tip.width).toBeLessThanOrEqual(412);
  }
});

test('without a script, charts have titles with the values, and there is no theme to choose', async () => {
  const { page } = await aPage(site.url, { script: false });
  await page.goto(site.url + OPERATOR);

  expect(await page.locator('.history .values title').count()).toBeGreaterThan(5);
  expect(await page.getByLabel('Theme').count()).toBe(0);
});

test('the search suggests operators by a part of their name, and opens the one that is chosen', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.goto(`${site.url}${BOARD}?trust=all`);
  const field = page.locator('#q');

  await field.fill('OTT');
  await page.locator('#names option').first().waitFor({ state: 'attached' });
  const names = await page.locator('#names option').evaluateAll((options) => {
    return options.map((option) => (option as HTMLOptionElement).value);
  });
  // As a browser does when a suggestion is chosen.
  await field.evaluate((input: HTMLInputElement) => {
    input.value = 'synthetic-otter';
    input.dispatchEvent(new InputEvent('input', { inputType: 'insertReplacementText' }));
  });
  await page.waitForURL(/q=synthetic-otter/);

  expect(names).toContain('synthetic-otter');
  expect(names.every((name) => name.includes('ott'))).toBe(true);
  expect(await page.locator('[data-sortable] tbody tr').count()).toBe(1);
  expect(misdeeds.foreign).toEqual([]);
});

test('a recent time is relative and has the full time in its title, an old one is a date', async () => {
  const { page } = await aPage(site.url);
  await page.goto(site.url + BOARD);
  const time = page.locator('main time[data-computed]').first();
  const full = (await time.getAttribute('title')) ?? '';
  const at = Date.parse((await time.getAttribute('datetime')) ?? '');
  const shownAfter = async (ms: number) => {
    await page.clock.setFixedTime(at + ms);
    await page.reload();
    return time.innerText();
  };

  expect(full).toMatch(/^\d+ \w{3} \d{4}, \d\d:\d\d UTC$/);
  expect(await shownAfter(5 * 60_000)).toBe('5 minutes ago');
  expect(await shownAfter(DAY_MS)).toBe('yesterday');
  expect(await shownAfter(-60_000)).toBe(full);
  expect(await shownAfter(8 * DAY_MS)).toBe(full);
});

test('a board marks the ranks that changed since the last visit, and forgets visits on request', async () => {
  const { page, misdeeds } = await aPage(site.url);
  const start = Date.now();
  const visitAfter = async (ms: number) => {
    await page.clock.setFixedTime(start + ms);
    await page.goto(site.url + BOARD);
  };
  const status = page.locator('main p', { hasText: 'since your last visit' });
  const marks = page.locator('tbody .since');

  await visitAfter(0);
  const first = await status.count();
  // The same visit.
  await visitAfter(60_000);
  const soon = await status.count();
  await page.evaluate((board) => {
    const visits = JSON.parse(localStorage['visits'] as string);
    const { ranks } = visits[board].now;
    ranks['/operators/synthetic-otter'] = 1_234;
    delete ranks['/operators/synthetic-elk'];
    localStorage['visits'] = JSON.stringify(visits);
  }, BOARD);
  await visitAfter(2 * DAY_MS + 120_000);
  const told = await status.innerText();
  const texts = await marks.allInnerTexts();
  await page.reload();
  const again = await marks.count();
  await page.getByRole('button', { name: 'Forget visits' }).click();
  const stored = await page.evaluate(() => localStorage['visits'] ?? null);
  await page.reload();

  expect([first, soon]).toEqual([0, 0]);
  expect(told).toContain('2 ranks changed since your last visit 2 days ago');
  expect(texts.toSorted()).toEqual(['New here', 'Was rank 1234']);
  expect([again, stored]).toEqual([2, null]);
  expect([await status.count(), await marks.count()]).toEqual([0, 0]);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});

test('pages work if the browser refuses to store anything', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('Access is denied', 'SecurityError');
      },
    });
  });
  await page.goto(site.url + BOARD);

  await page.getByLabel('Theme').selectOption('Dark');
  await page.getByRole('button', { name: 'Tokens (M)' }).click();

  expect(await page.getByRole('status').first().innerText()).toContain('not the ranking');
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});
