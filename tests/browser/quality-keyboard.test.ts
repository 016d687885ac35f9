/** The settings by keyboard alone. */
import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openPage, theBrowser } from '../support/pages/browser.ts';
import { type Site, aSite } from '../support/pages/site.ts';

const PAGES = ['', '/profile', '/privacy', '/sign-in', '/applications', '/data'];

let browser: Browser;
let site: Site;

beforeAll(async () => {
  browser = await theBrowser();
  site = await aSite({ operators: 1 });
  return () => site.stop();
});

/** A page of the settings of who is on the board. */
async function aSettingsPage(path: string): Promise<Page> {
  const { page } = await openPage(browser, site.url, { viewport: { width: 1280, height: 800 } });
  await page.context().addCookies([await site.cookieOf('synthetic-otter')]);
  await page.goto(`${site.url}/settings${path}`);
  return page;
}

/** Where the focus is, and whether that can be seen. */
function focused(page: Page) {
  return page.evaluate(async () => {
    const element = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    // The browser takes its time to scroll to what is focused.
    const isInWindow = await new Promise<boolean>((resolve) => {
      const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting && resolve(true));
      watch.observe(element);
      setTimeout(() => resolve(false), 30_000);
    });
    return {
      name: element === document.body ? null : element.outerHTML.slice(0, 160),
      isSeen: isInWindow && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
    };
  });
}

/** What Tab should reach, in the order of the page; of radio buttons only the chosen one. */
function reachable(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button, input:not([type=hidden], [type=radio]:not(:checked)), select, textarea, summary, [tabindex="0"]',
    );
    const shown = [...all].filter((element) => element.checkVisibility());
    return shown.map(({ outerHTML }) => outerHTML.slice(0, 160));
  });
}

/** Presses Tab until the focus leaves the page. */
async function walk(page: Page) {
  const stops: { name: string; isSeen: boolean }[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const { name, isSeen } = await focused(page);
    if (name === null || stops.length > 200) return stops;
    stops.push({ name, isSeen });
  }
}

test.each(PAGES)('Tab goes through /settings%s in order, and the focus is seen', async (path) => {
  const page = await aSettingsPage(path);

  const stops = await walk(page);

  expect(stops.map(({ name }) => name)).toEqual(await reachable(page));
  expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
});

test('the first stop leads past the head of the page', async () => {
  const page = await aSettingsPage('/profile');

  await page.keyboard.press('Tab');
  const skip = await focused(page);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const next = await page.evaluate(() => document.activeElement?.closest('main') !== null);

  expect(skip).toMatchObject({ name: expect.stringContaining('Skip') as string, isSeen: true });
  expect(next).toBe(true);
});

test('a form is filled in, refused, corrected and sent by keyboard', async () => {
  const page = await aSettingsPage('/profile');
  const tabTo = async (label: string) => {
    for (let presses = 0; presses < 50; presses += 1) {
      const at = await page.evaluate(() => {
        const { labels } = document.activeElement as HTMLInputElement;
        return labels?.[0]?.textContent.trim() ?? '';
      });
      if (at === label) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach "${label}"`);
  };

  await tabTo('Your codename');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Grace!');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid=true]').waitFor();
  const first = await page.evaluate(() => document.activeElement?.id);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('synthetic-grace');
  await page.keyboard.press('Enter');
  const message = await page.getByRole('status').innerText();

  expect(first).toBe('codename');
  expect(message).toMatch(/codename is changed/);
});
