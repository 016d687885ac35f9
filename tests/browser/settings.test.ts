import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { pictureOf } from '../support/pages/pictures.ts';
import { startServer } from '../support/http/server.ts';

test('the settings work without JavaScript on a phone, and confirm each change', async () => {
  const server = await startServer({ env: { COHORTS: 'lab=The laboratory' } });
  const [name = '', value = ''] = (await server.signIn('ada')).split('=');
  const { page, misdeeds } = await aPage(server.url, { script: false, width: 360, dark: true });
  await page.context().addCookies([{ name, value, url: server.url }]);
  const file = join(server.dataDir, 'me.png');
  writeFileSync(file, await pictureOf('png'));
  const messages: string[] = [];
  const tabs = page.getByRole('navigation', { name: 'Settings' });
  const goTo = (tab: string) => tabs.getByRole('link', { name: tab }).click();
  const press = async (button: string) => {
    await page.getByRole('button', { name: button, exact: true }).click();
    messages.push((await page.getByRole('status').innerText()).trim());
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  };

  await page.goto(`${server.url}/settings`);
  await press('Add a device');
  await goTo('Profile');
  await page.getByLabel('Name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('About you').fill('One.\nTwo.');
  await page.getByLabel('Cohort').selectOption('The laboratory');
  await press('Save profile');
  expect(await page.getByLabel('About you').inputValue()).toBe('One.\nTwo.');
  await page.getByLabel('Picture file').setInputFiles(file);
  await press('Upload picture');
  const width = await page
    .getByAltText('Your picture')
    .evaluate((img: HTMLImageElement) => img.naturalWidth);
  await page.getByLabel('Your codename').fill('Grace!');
  await page.getByRole('button', { name: 'Change codename' }).click();
  const faulty = page.getByLabel('Your codename');
  expect(await faulty.getAttribute('aria-invalid')).toBe('true');
  expect(await faulty.inputValue()).toBe('Grace!');
  await faulty.fill('grace');
  await press('Change codename');
  await goTo('Privacy');
  await page.getByLabel('Private').check();
  await press('Change privacy mode');
  await goTo('Data');
  await page.getByLabel('Subject').fill('Hello');
  await page.getByLabel('Message').fill('Is anybody there?');
  await press('Send message');
  await page.getByLabel('Type your codename').fill('ada');
  await page.getByRole('button', { name: 'Delete account' }).click();
  expect(await page.getByLabel('Type your codename').getAttribute('aria-invalid')).toBe('true');
  await page.getByLabel('Type your codename').fill('grace');
  await page.getByRole('button', { name: 'Delete account' }).click();
  const end = await page.locator('h1').innerText();
  await page.goto(`${server.url}/settings`);

  expect(width).toBe(256);
  expect(messages.map((sentence) => sentence.split('\n')[0])).toEqual([
    expect.stringMatching(/^[0-9A-Z-]{17}/),
    expect.stringContaining('profile is saved'),
    expect.stringContaining('picture is saved'),
    expect.stringMatching(/codename is changed.* 90 days/),
    expect.stringContaining('private'),
    expect.stringContaining('sent to the admin'),
  ]);
  expect(end).toContain('deleted');
  expect(new URL(page.url()).pathname).not.toBe('/settings');
  // This test may focus a field before the page's autofocus does.
  expect(misdeeds.console.filter((text) => !/422|^Autofocus/.test(text))).toEqual([]);
  expect(misdeeds.foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
});
