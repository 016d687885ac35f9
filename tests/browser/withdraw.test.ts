import { expect, test } from 'vitest';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { bucketsOfDays } from '../support/board/builders.ts';
import { accessibilityFaults, smallTargets } from '../support/board/inspection.ts';
import { daysAgo } from '../support/agent/installation.ts';
import { startServer } from '../support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '../support/http/wire.ts';

test('a submission is withdrawn and restored from its page, without script, on a phone', async () => {
  const server = await startServer();
  const cookie = await server.signIn('ada');
  const device = await enrollOverHttp(server, cookie);
  const buckets = bucketsOfDays(3, daysAgo(4));
  const { body } = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  const { page, misdeeds } = await aPage(server.url, { script: false, width: 360, dark: true });
  const [name = '', value = ''] = cookie.split('=');
  await page.context().addCookies([{ name, value, url: server.url }]);
  const status = async () => (await page.getByRole('status').innerText()).split('.')[0];

  await page.goto(`${server.url}/submissions/${body.id}`);
  await page.getByRole('link', { name: 'Withdraw it in your settings' }).click();
  expect(new URL(page.url()).hash).toBe('#change');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('button', { name: 'Withdraw submission' }).click();
  expect(await status()).toBe('The submission is withdrawn');
  expect(await page.getByRole('row').last().innerText()).toContain('3 records, withdrawn');
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.getByRole('link', { name: /^Restore/ }).click();
  await page.getByRole('button', { name: 'Restore submission' }).click();
  expect(await status()).toBe('The submission is restored');
  expect(await page.getByRole('row').last().innerText()).toContain('3 records, counted');
  expect(misdeeds).toEqual({ console: [], foreign: [] });

  const lit = await aPage(server.url, { width: 1280 });
  await lit.page.context().addCookies([{ name, value, url: server.url }]);
  await lit.page.goto(`${server.url}/settings/submissions?change=${body.id}`);
  expect(await accessibilityFaults(lit.page)).toEqual([]);
  expect(await smallTargets(lit.page)).toEqual([]);
});
