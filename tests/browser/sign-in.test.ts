import { expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { startServer } from '../support/http/server.ts';
import { CLIENT, aSite } from '../support/http/upstream.ts';

test('an admin signs in without configuration, and links a site under the strict policy', async () => {
  const site = await aSite('github');
  const { url } = await startServer({
    env: {
      GITHUB_CLIENT_ID: CLIENT.clientId,
      GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
      GITHUB_URL: site.url,
      GITHUB_API_URL: site.url,
    },
  });
  const { page, misdeeds } = await aPage(url, { width: 360, script: false });
  const widths: number[] = [];
  const measure = async () => {
    await page.waitForLoadState();
    widths.push(await overflowOf(page));
  };

  await page.goto(`${url}/login`);
  await measure();
  await page.getByLabel('Email address').fill('keeper@example.org');
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.waitForURL(`${url}/login/mail`);
  await measure();
  await page.getByRole('link', { name: 'local mailbox' }).click();
  await page.waitForURL(`${url}/dev/mail`);
  await measure();
  await page.getByRole('link', { name: /\/login\/mail\/link/ }).click();
  await page.waitForURL(/\/login\/mail\/link/);
  await measure();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/settings`);

  await page.goto(`${url}/settings/sign-in`);
  await measure();
  await page.getByRole('button', { name: 'Link GitHub' }).click();
  await page.waitForURL(`${url}/settings/sign-in?done=linked`);
  const linked = await page.locator('main').innerText();
  await page.getByRole('button', { name: 'Unlink GitHub octocat' }).click();
  await page.waitForURL(`${url}/settings/sign-in?done=unlinked`);
  const unlinked = await page.locator('main').innerText();

  expect(linked).toMatch(/is linked[^]*k•••@example\.org[^]*octocat/);
  expect(unlinked).toContain('cannot unlink your only sign-in method');
  expect(widths).toEqual([0, 0, 0, 0, 0]);
  expect(misdeeds.console).toEqual([]);
});
