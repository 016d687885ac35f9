import { describe, expect, test } from 'vitest';
import { aPage, overflowOf, shiftOf } from '../support/pages/browser.ts';
import { anActive } from '../support/board/boards.ts';
import { bucketsOfDays } from '../support/board/builders.ts';
import { aFilledFolder } from '../support/board/filled-folder.ts';
import { daysAgo } from '../support/agent/installation.ts';
import { type RunningServer, sharedServer } from '../support/http/server.ts';

/** A board on which ada is ranked, and eve is not. */
const theServer = sharedServer(() => ({
  dataDir: aFilledFolder(18, (ctx) => {
    const days = { ada: 10, eve: 2 };
    for (const [codename, count] of Object.entries(days)) {
      const cache_read = 1_111_111 + count;
      anActive(ctx, codename, bucketsOfDays(count, daysAgo(count + 1), { cache_read }));
    }
  }),
  env: { REFRESH_SECONDS: '3600' },
}));

const PATH = '/leaderboard/30d/yield?tool=claude-code';

/** An operator's session for a browser. */
async function sessionOf(server: RunningServer, codename: string) {
  const [name = '', value = ''] = (await server.signIn(codename)).split('=');
  return { name, value, url: server.url };
}

describe('your rank on the page of a board', () => {
  test('is loaded by a script without layout shifts', async () => {
    const server = await theServer();
    const told = {
      ada: /^You rank \d+ of 13(, rank range \d+–\d+)? yield [\d,.]+/,
      eve: /^You are not ranked here\. (Still needed: )?2 of 7 active days\.( And 2 more\.)?/,
    };
    for (const [codename, text] of Object.entries(told)) {
      const { page, misdeeds } = await aPage(server.url);
      await page.context().addCookies([await sessionOf(server, codename)]);
      for (const width of [320, 360, 900, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(server.url + PATH);
        await page.locator('[data-your-rank] strong').first().waitFor();
        const own = await page.locator('[data-your-rank]').innerText();
        const shift = await shiftOf(page);

        expect(own.replaceAll(/\s+/g, ' ')).toMatch(text);
        expect([width, shift, await overflowOf(page)]).toEqual([width, 0, 0]);
      }
      expect(misdeeds).toEqual({ console: [], foreign: [] });
    }
  });

  test('remains a link to the sign-in for signed-out readers', async () => {
    const server = await theServer();
    const { page, misdeeds } = await aPage(server.url);

    await page.goto(server.url + PATH, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Show my rank' }).click();

    expect(new URL(page.url()).pathname).toMatch(/^\/login\b/);
    expect(misdeeds).toEqual({ console: [], foreign: [] });
  });

  test('is a separate page without a script', async () => {
    const server = await theServer();
    const { page } = await aPage(server.url, { script: false, width: 320 });
    await page.context().addCookies([await sessionOf(server, 'ada')]);

    await page.goto(server.url + PATH);
    await page.getByRole('link', { name: 'Show my rank' }).click();
    const own = await page.locator('main').innerText();
    await page.getByRole('link', { name: 'Jump to your row' }).click();

    expect(own).toMatch(/Rank\s+\d+ of 13 ranked operators/);
    expect(await page.locator('table[data-sortable]').innerText()).toContain('ada');
    expect(await overflowOf(page)).toBe(0);
  });
});
