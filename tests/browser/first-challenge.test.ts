/** The way of a first-time admin without a shell, as `/docs/run/first-challenge` describes it, on a phone. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { daysAgo } from '../support/agent/installation.ts';
import { type RunningServer, eventually } from '../support/http/server.ts';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { aPasskeyServer, anAuthenticator } from '../support/pages/passkeys.ts';

/** A phone of 360 px with a passkey authenticator. `widths` has how far each page was too wide. */
async function aPhone(url: string) {
  const { page, misdeeds } = await aPage(url, { width: 360 });
  await (await anAuthenticator(page)).attach();
  const widths: number[] = [];
  const press = async (name: string, to?: RegExp) => {
    await page.getByRole('button', { name }).click();
    if (to) await page.waitForURL(to);
    widths.push(await overflowOf(page));
  };
  const open = async (path: string) => {
    await page.goto(new URL(path, url).href);
    widths.push(await overflowOf(page));
    return page.locator('main').innerText();
  };
  return { page, press, open, widths, misdeeds };
}

async function setupLink(server: RunningServer): Promise<string> {
  const link = /\bhttp\S+\/setup\?token=\S+/;
  const output = await eventually(
    async () => server.output(),
    (text) => link.test(text),
  );
  return link.exec(output)?.[0] ?? '';
}

async function goToAdminPage(page: Page, name: string): Promise<void> {
  await page.getByText('Admin pages').click();
  const pages = page.getByRole('navigation', { name: 'Administration' });
  await pages.getByRole('link', { name }).click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
}

test('an admin without a shell runs a challenge for members, who join by invitation', async () => {
  const { server, url } = await aPasskeyServer();
  const { page, press, open, widths, misdeeds } = await aPhone(url);

  await open(await setupLink(server));
  await page.getByLabel('Your codename').fill('ada');
  await page.getByLabel('Name', { exact: true }).fill('The guild');
  await page.getByLabel('Description').fill('People who count their tokens.');
  await page.getByLabel('Only members').check();
  await page.getByLabel('People with an invitation', { exact: true }).check();
  await press('Set up the board', /\/admin\?done=setup$/);
  const overview = await page.locator('main').innerText();
  await page.getByRole('link', { name: 'Sign-in methods' }).click();
  await press('Add a passkey', /done=linked/);

  await open('/admin');
  await goToAdminPage(page, 'Challenges');
  await page.getByLabel('Title').fill('Spring sprint');
  await page.getByLabel('Description').fill('Who gets the most out of each token?');
  await page.getByLabel('First day').fill(daysAgo(-2));
  await page.getByLabel('Last day').fill(daysAgo(-15));
  await press('Create challenge', /\/admin\/challenges\/spring-sprint\?done=create/);

  await goToAdminPage(page, 'Invitations');
  await page.getByLabel('What it is for').first().fill('the spring challenge of our team');
  await page.getByLabel('How many people').fill('30');
  await press('Create link');
  const invitation = await page.getByRole('link', { name: /\/invite\// }).innerText();

  const stranger = await aPhone(url);
  const closed = await stranger.open('/challenges/spring-sprint');
  for (let joined = 0; joined < 3; joined += 1) {
    const member = await aPhone(url);
    const landing = await member.open(invitation);
    await member.press('Accept and sign in', /\/login\/interaction\//);
    const [first] = await member.page.locator('form[data-passkey] button').allInnerTexts();
    await member.press('Create an account with a passkey', /\/settings$/);
    await member.press('Confirm codename');
    await member.press('Add a device');
    const code = await member.page.getByRole('status').first().innerText();
    const challenge = await member.open('/challenges/spring-sprint');

    expect(landing).toContain('ada invites you to this board: the spring challenge of our team.');
    expect(first).toBe('Create an account with a passkey');
    expect(code).toMatch(/^[0-9A-Z-]{17}/);
    expect(challenge).toContain('Spring sprint');
    widths.push(...member.widths);
    expect(member.misdeeds).toEqual({ console: [], foreign: [] });
  }
  const used = await open('/admin/invitations');

  expect(overview).toContain('Sharing the address of the board is not enough');
  expect(closed).toMatch(/Only members can read this board\.[^]*You need an invitation/);
  expect(closed).not.toMatch(/Create an account|Spring sprint/);
  expect(used).toContain('3 of 30 uses');
  expect([...widths, ...stranger.widths].filter((width) => width > 0)).toEqual([]);
  expect(misdeeds).toEqual({ console: [], foreign: [] });
});
