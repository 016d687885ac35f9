/** What scripts add to pages that work without them. */
import { beforeAll, expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

let site: Site;

beforeAll(async () => {
  site = await aSite({ operators: 30 });
  return () => site.stop();
});

test('a board can be sorted by a column, says that this is not the ranking, and back', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.goto(`${site.url}/leaderboard/30d/yield`);
  const ranks = () => page.locator('tbody td.rank').allInnerTexts();
  const tokens = async () => {
    const texts = await page.locator('tbody td.tokens').allInnerTexts();
    return texts.map((text) => Number(text.replaceAll(',', '')));
  };
  const before = await ranks();

  await page.getByRole('button', { name: 'Tokens (M)' }).click();

  const sorted = await tokens();
  expect(sorted).toEqual(sorted.toSorted((a, b) => b - a));
  expect(await ranks()).not.toEqual(before);
  expect(await page.getByRole('status').innerText()).toContain('This is not the ranking');
  expect(await page.locator('th[aria-sort]').allInnerTexts()).toEqual(['Tokens (M)']);
  await page.getByRole('button', { name: 'Sort by rank' }).click();
  expect(await ranks()).toEqual(before);
  expect(await page.getByRole('status').innerText()).toBe('');
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});

test('“/” opens and focuses the search, but not while something is typed', async () => {
  const { page } = await aPage(site.url);
  await page.goto(`${site.url}/leaderboard/30d/yield`);
  const field = page.locator('#q');
  expect(await field.isVisible()).toBe(false);

  await page.keyboard.press('/');
  await page.keyboard.type('a/b');

  expect(await field.inputValue()).toBe('a/b');
});

test('commands can be copied from the front page', async () => {
  const { page } = await aPage(site.url, { width: 360 });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(site.url);

  await page.getByRole('button', { name: 'Copy code' }).first().click();

  await page.getByRole('button', { name: 'Copied' }).first().waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('install.sh');
  expect(await overflowOf(page)).toBe(0);
});

test('without scripts, pages have no buttons that do nothing', async () => {
  const { page } = await aPage(site.url, { script: false });
  await page.goto(site.url);

  expect(await page.locator('thead button, pre button').count()).toBe(0);
});

test('a big screen shows boards and records in turn, and stays while the board does not answer', async () => {
  const { page } = await aPage(site.url, { width: 1920 });
  await page.clock.install();
  await page.goto(`${site.url}/tv`);
  const title = () => page.locator('[data-slide]:visible h2').innerText();
  const titles = [await title()];

  for (let turn = 0; turn < 3; turn += 1) {
    await page.clock.runFor(12_000);
    titles.push(await title());
  }
  await page.route('**/tv', (route) => route.abort());
  await page.clock.runFor(120_000);
  const kept = await page.locator('[data-slide]').count();
  await page.unroute('**/tv');
  const answered = page.waitForResponse('**/tv');
  await page.clock.runFor(60_000);
  await answered;

  expect(titles).toEqual(['Yield', 'Leverage', 'Velocity', 'Records']);
  expect(kept).toBe(4);
  expect(await page.locator('[data-slide]:visible').count()).toBe(1);
  expect(await page.locator('#site-foot').isVisible()).toBe(false);
  expect(await overflowOf(page)).toBe(0);
});
