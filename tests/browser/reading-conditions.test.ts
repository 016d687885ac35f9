/** Paper, more contrast, forced colors, large text, and unusual names. */
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

const BOARD = '/leaderboard/30d/yield?trust=all';
/** The same as twice the default text size in the settings of a browser. */
const LARGE_TEXT = ['--blink-settings=defaultFontSize=32'];

let site: Site;
let codenames: Readonly<Record<string, string>>;

beforeAll(async () => {
  site = await aSite({ operators: 12, states: true });
  codenames = site.states?.codenames ?? {};
  return () => site.stop();
});

/** A computed style of the first element that a selector finds. */
async function styleOf(page: Page, selector: string, property: string): Promise<string> {
  return page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);
}

test('paper is white in a dark theme, and shows neither navigation nor forms, but full times', async () => {
  const { page } = await aPage(site.url, { dark: true });
  await page.goto(site.url + BOARD);
  await page.getByLabel('Theme').selectOption('Dark');
  const time = page.locator('main time[data-computed]').first();
  const onScreen = await time.innerText();

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));

  const [, lightness] =
    /oklch\(([\d.]+)/.exec(await styleOf(page, 'html', 'background-color')) ?? [];
  expect(Number(lightness)).toBeGreaterThan(0.95);
  for (const hidden of ['header nav', 'footer', 'main form', 'main button', 'main nav']) {
    expect([hidden, await page.locator(`${hidden}:visible`).count()]).toEqual([hidden, 0]);
  }
  expect(await page.locator('tbody tr:visible').count()).toBeGreaterThan(10);
  expect(await page.locator('header .name:visible').count()).toBe(1);
  expect(onScreen).toMatch(/^now$|minutes? ago$/);
  expect(await time.innerText()).toBe(await time.getAttribute('title'));
});

test('with forced colors, drawings have the color of text, and only the current tab is marked', async () => {
  const { page } = await aPage(site.url);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(site.url + BOARD);
  const ink = await styleOf(page, 'body', 'color');
  const paper = await styleOf(page, 'body', 'background-color');
  const borders = await page.locator('.tabs a').evaluateAll((links) => {
    return links.map((link) => ({
      isCurrent: link.hasAttribute('aria-current'),
      color: getComputedStyle(link).borderBottomColor,
    }));
  });
  const others = new Set(borders.flatMap(({ isCurrent, color }) => (isCurrent ? [] : [color])));
  const current = borders.filter(({ isCurrent }) => isCurrent);

  expect(await styleOf(page, '.spark', 'stroke')).toBe(ink);
  expect(ink).not.toBe(paper);
  expect(others.size).toBe(1);
  expect(current.length).toBeGreaterThan(1);
  expect(current.filter(({ color }) => others.has(color))).toEqual([]);
});

test('with more contrast, soft text and lines are as strong as text', async () => {
  const { page } = await aPage(site.url);
  await page.goto(site.url + BOARD);
  const soft = await styleOf(page, 'main .soft', 'color');
  await page.emulateMedia({ contrast: 'more' });
  const ink = await styleOf(page, 'body', 'color');

  expect(soft).not.toBe(ink);
  expect(await styleOf(page, 'main .soft', 'color')).toBe(ink);
  expect(await styleOf(page, 'thead th', 'border-bottom-color')).toBe(ink);
});

describe('text of twice the size', () => {
  test.each([
    ['/', 360],
    [BOARD, 360],
    ['/challenges', 360],
    ['/docs/join', 360],
    [BOARD, 640],
    ['/operators/synthetic-the-longest-codename', 640],
    [BOARD, 1280],
  ])('fits on %s at %i px', async (path, width) => {
    const { page } = await aPage(site.url, { width, args: LARGE_TEXT });
    await page.goto(site.url + path);
    // The board's typeface is optional: if it arrives late, only the next page has it.
    await page.reload();

    expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe('34px');
    expect(await overflowOf(page)).toBe(0);
  });
});

/** The first three cells of a row, and the name in the second. */
async function boxesOf(row: Locator) {
  return row.evaluate((element) => {
    const boxes = [...element.querySelectorAll('td, th, bdi')].map((part) => {
      const { left, right, width } = part.getBoundingClientRect();
      return { left, right, width };
    });
    const [rank, cell, name, value] = boxes.filter(({ width }) => width > 0);
    if (!rank || !cell || !name || !value) throw new Error('A cell is missing');
    return { rank, cell, name, value };
  });
}

test.each(['hebrew', 'arabic', 'emoji', 'longest', 'unbroken'])(
  'the name of the operator “%s” stays in its cell, and on its page',
  async (state) => {
    const { page } = await aPage(site.url, { width: 360 });
    const codename = codenames[state] ?? '?';
    await page.goto(site.url + BOARD);
    const row = page.locator('[data-sortable] tbody tr', { hasText: codename }).first();
    const text = (await row.locator('bdi').innerText()).trim();
    const { rank, cell, name, value } = await boxesOf(row);

    expect(rank.right).toBeLessThanOrEqual(cell.left);
    expect(cell.right).toBeLessThanOrEqual(value.left);
    expect(name.left).toBeGreaterThanOrEqual(cell.left);
    expect(name.right).toBeLessThanOrEqual(cell.right + 0.5);
    expect(await overflowOf(page)).toBe(0);
    await page.goto(`${site.url}/operators/${codename}`);
    expect(await page.locator('h1').innerText()).toContain(text.slice(0, 3));
    expect(await overflowOf(page)).toBe(0);
  },
);
