/** The documentation in a browser: code is copied, and the sidebar unfolds without script. */
import { beforeAll, expect, test } from 'vitest';
import { aPage } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

let site: Site;

beforeAll(async () => {
  site = await aSite({ operators: 1 });
  return () => site.stop();
});

test('a button copies a block of code, and nothing else', async () => {
  const { page, misdeeds } = await aPage(site.url);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${site.url}/docs/build`);

  const block = page.locator('pre').first();
  const code = (await block.locator('code').textContent()) ?? '';
  await block.getByRole('button', { name: 'Copy code' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();

  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(code.trimEnd());
  expect(copied).toContain(site.url);
  expect(misdeeds.console).toEqual([]);
});

test('without script there is no button, and the sidebar unfolds on a phone', async () => {
  const { page } = await aPage(site.url, { script: false, width: 360 });
  await page.goto(`${site.url}/docs/build`);
  const link = page.locator('nav a[href="/developers"]').first();
  const isShown = () => link.evaluate((element) => element.checkVisibility());

  expect(await page.locator('pre button').count()).toBe(0);
  expect(await isShown()).toBe(false);
  await page.getByText('All documentation').click();
  expect(await isShown()).toBe(true);
});

test('on a wide screen the sidebar is open', async () => {
  const { page } = await aPage(site.url, { script: false });
  await page.goto(`${site.url}/docs/build`);

  const link = page.locator('nav a[href="/developers/protocol"]').first();
  expect(await link.evaluate((element) => element.checkVisibility())).toBe(true);
  expect(await page.getByText('All documentation').isVisible()).toBe(false);
});
