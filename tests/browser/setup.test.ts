import { expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { eventually, startServer } from '../support/http/server.ts';

test('an admin sets up a board on a phone without JavaScript, and reaches the board', async () => {
  const server = await startServer();
  const link = /\bhttp\S+\/setup\?token=\S+/;
  const output = await eventually(
    async () => server.output(),
    (text) => link.test(text),
  );
  const url = link.exec(output)?.[0] ?? '';
  const { page, misdeeds } = await aPage(server.url, { script: false, width: 360 });

  await page.goto(url);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByLabel('Your codename').fill('admin');
  await page.getByLabel('Name', { exact: true }).fill('The guild');
  await page.getByLabel('Description').fill('People who count their tokens.');
  await page.getByRole('button', { name: 'Set up the board' }).click();
  expect(await page.getByLabel('Your codename').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Your codename').fill('ada');
  await page.getByRole('button', { name: 'Set up the board' }).click();
  const done = await page.getByRole('status').innerText();
  const steps = await page.locator('#next ~ div li strong').allInnerTexts();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByText('Admin pages').click();
  const pages = page.getByRole('navigation', { name: 'Administration' });
  await pages.getByRole('link', { name: 'Health' }).click();
  const health = await page.locator('h1').innerText();
  await page.goto(`${server.url}/admin`);
  await page.getByRole('link', { name: 'Open the board' }).click();
  const board = await page.title();
  await page.goto(url);
  const again = await page.locator('h1').innerText();
  const manifest = await (await fetch(`${server.url}/site.webmanifest`)).json();

  expect(done).toBe('The board is set up, and you are its admin.');
  expect(steps).toEqual([
    'Make sure that you can sign in again',
    'Add your device',
    'Invite people',
  ]);
  expect(health).toBe('Health');
  expect(board).toContain('The guild');
  expect(again).toBe('This link cannot be used');
  expect(manifest).toMatchObject({ name: 'The guild' });
  expect(server.log()).not.toContain(new URL(url).searchParams.get('token'));
  expect(misdeeds.foreign).toEqual([]);
  // The rejected codename, and the used link.
  expect(misdeeds.console.map((text) => /status of (\d+)/.exec(text)?.[1])).toEqual(['409', '422']);
});
