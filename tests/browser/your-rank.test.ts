import { describe, expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { bucketsOfDays } from '../support/board/builders.ts';
import { aFilledFolder } from '../support/board/filled-folder.ts';
import { daysAgo } from '../support/agent/installation.ts';
import { type RunningServer, eventually, startServer } from '../support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

const PATH = '/leaderboard/30d/yield?tool=claude-code';

/** The session of an operator who has submitted so many days. */
async function signedIn(server: RunningServer, codename: string, days: number) {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const cache_read = 1_111_111 + days;
  const buckets = bucketsOfDays(days, daysAgo(days + 1), { cache_read });
  await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  const text = async () => (await fetch(server.url + PATH)).text();
  await eventually(text, (board) => board.includes(`/operators/${codename}`));
  const [name = '', value = ''] = cookie.split('=');
  return { name, value, url: server.url };
}

/** How much moved while the page loaded, and shortly after. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0;
  const add = (list) => list.getEntries().forEach(({ value }) => (sum += value));
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => resolve(sum), 200);
})`;

describe('the own place on the page of a board', () => {
  test('comes in by script, and nothing moves', async () => {
    const server = await startServer({ dataDir: aFilledFolder(18) });
    const ranked = await signedIn(server, 'ada', 10);
    const unranked = await signedIn(server, 'eve', 2);
    const told = [
      { cookie: ranked, text: /^You rank \d+ of 13, places \d+ to \d+ yield [\d,.]+/ },
      {
        cookie: unranked,
        text: /^You are not ranked here\. (What stands in the way: )?2 of 7 active days\.( And 2 more\.)?/,
      },
    ];
    for (const width of [320, 360, 900, 1440]) {
      for (const { cookie, text } of told) {
        const { page, misdeeds } = await aPage(server.url, { width });
        await page.context().addCookies([cookie]);

        await page.goto(server.url + PATH);
        await page.locator('[data-your-rank] strong').first().waitFor();
        const own = await page.locator('[data-your-rank]').innerText();
        const shift = await page.evaluate(SHIFT);

        expect(own.replaceAll(/\s+/g, ' ')).toMatch(text);
        expect([width, shift, await overflowOf(page)]).toEqual([width, 0, 0]);
        expect(misdeeds).toEqual({ console: [], foreign: [] });
        await page.context().browser()?.close();
      }
    }
  });

  test('stays a link for who is signed out, and leads to the sign-in', async () => {
    const server = await startServer({ dataDir: aFilledFolder(6) });
    const { page, misdeeds } = await aPage(server.url);

    await page.goto(server.url + PATH, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Where am I on this board?' }).click();

    expect(new URL(page.url()).pathname).toMatch(/^\/login\b/);
    expect(misdeeds).toEqual({ console: [], foreign: [] });
  });

  test('is a page of its own without script', async () => {
    const server = await startServer({ dataDir: aFilledFolder(6) });
    const cookie = await signedIn(server, 'ada', 10);
    const { page } = await aPage(server.url, { script: false, width: 320 });
    await page.context().addCookies([cookie]);

    await page.goto(server.url + PATH);
    await page.getByRole('link', { name: 'Where am I on this board?' }).click();
    const own = await page.locator('main').innerText();
    await page.getByRole('link', { name: 'Your page of the list' }).click();

    expect(own).toMatch(/Rank\s+\d+ of 5 ranked operators/);
    expect(await page.locator('tbody').first().innerText()).toContain('ada');
    expect(await overflowOf(page)).toBe(0);
  });
});
