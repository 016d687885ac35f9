/** Every page of the site in every state, light and dark, on a desktop and on the smallest phone. */
import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../../scripts/browser.mjs';
import { type Gate, GATE_NAMES, inspect } from '../support/pages/gates.ts';
import { crawl } from '../support/pages/links.ts';
import { forEachOf, look } from '../support/pages/looking.ts';
import { type Site, aSite } from '../support/pages/site.ts';
import { viewsOf } from '../support/pages/site-views.ts';
import type { NamedView } from '../support/pages/view.ts';

/** Faults that another screen size or color scheme can cause. */
const SEEN: readonly Gate[] = ['accessibility', 'targets'];
/** Faults that can occur while a page is loaded. */
const LOADED: readonly Gate[] = ['console', 'requests', 'shift'];

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  return () => browser.close();
});

/** Opens a view on a desktop and on a phone, and reloads it on the phone if that changes nothing. */
async function faultsOf(site: Site, view: NamedView): Promise<string[]> {
  const looked = await look(site, browser, view);
  const { page } = looked;
  const faults: string[] = [];
  const ask = async (how: string, gates: readonly Gate[], at = looked) => {
    for (const [gate, list] of await inspect(at, view, gates)) {
      faults.push(...list.map((fault) => `${how}, ${gate}: ${fault}`));
    }
  };
  await ask('desk', GATE_NAMES);
  // These gates are checked on a phone, which ends in dark mode.
  await page.emulateMedia({ colorScheme: 'light' });
  await ask('phone', SEEN);
  if (!view.act) {
    const again = await looked.again({ width: 320 });
    await ask('phone', LOADED, again);
    await again.close();
  }
  await looked.close();
  return faults;
}

describe.each([
  ['with operators in every state', { operators: 60, states: true }],
  ['without operators', { operators: 0 }],
])('a board %s', (_, people) => {
  let site: Site;

  beforeAll(async () => {
    site = await aSite(people);
    return () => site.stop();
  });

  test('has no broken link, wherever a visitor goes from its front page', async () => {
    expect(await crawl(site.url)).toEqual([]);
  });

  test('passes every check on every page', { timeout: 3_600_000 }, async () => {
    const faults: string[] = [];
    await forEachOf(viewsOf(site), 2, async (view) => {
      const found = faultsOf(site, view).catch((error: unknown) => [`${view.name}: ${error}`]);
      faults.push(...(await found));
    });

    expect(faults).toEqual([]);
  });
});
