/** Paper, more contrast, forced colors, large text, and unusual names. */
import type { Page } from 'playwright-core';
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

interface Box {
  left: number;
  right: number;
}

test('names from right to left, long ones and emoji stay in their cells and keep the order of the others', async () => {
  const { page } = await aPage(site.url, { width: 360 });
  for (const state of ['hebrew', 'arabic', 'emoji', 'longest', 'unbroken']) {
    await page.goto(site.url + BOARD);
    const row = page.locator('tbody tr', { hasText: codenames[state] ?? '?' }).first();
    const name = (await row.locator('bdi').innerText()).trim();
    const boxes = await row.evaluate((element) => {
      const cells = [...element.querySelectorAll('td, th')].filter((cell) => cell.clientWidth > 0);
      const inside = element.querySelector('bdi')?.getBoundingClientRect();
      return { cells: cells.map((cell) => cell.getBoundingClientRect().toJSON()), inside };
    });
    const [rank, cell, value] = boxes.cells as [Box, Box, Box];
    const inside = boxes.inside as Box;
    const overflow = await overflowOf(page);
    await page.goto(`${site.url}/operators/${codenames[state]}`);

    expect([state, name.length > 3, overflow]).toEqual([state, true, 0]);
    expect(rank.right).toBeLessThanOrEqual(cell.left);
    expect(cell.right).toBeLessThanOrEqual(value.left);
    expect(inside.left).toBeGreaterThanOrEqual(cell.left);
    expect(inside.right).toBeLessThanOrEqual(cell.right + 0.5);
    expect(await page.locator('h1').innerText()).toContain(name.slice(0, 3));
    expect(await overflowOf(page)).toBe(0);
  }
});
