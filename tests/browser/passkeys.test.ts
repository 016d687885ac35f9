import { expect, test } from 'vitest';
import { runAdmin } from '../support/board/admin.ts';
import { accessibilityFaults, htmlFaults, smallTargets } from '../support/board/inspection.ts';
import { aPage, overflowOf } from '../support/pages/browser.ts';
import { aPasskeyServer, anAuthenticator } from '../support/pages/passkeys.ts';

test('an operator signs up, adds and removes passkeys, and recovers with a link of the admin', async () => {
  const { server, url } = await aPasskeyServer();
  const { page, misdeeds } = await aPage(url, { width: 360, dark: true });
  const authenticators = await anAuthenticator(page);
  const laptop = await authenticators.attach();
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const widths: number[] = [];
  const arriveAt = async (path: string) => {
    await page.waitForURL(`${url}${path}`);
    widths.push(await overflowOf(page));
  };
  const signOut = async () => {
    await page.goto(`${url}/settings`);
    await press('Sign out');
    await page.waitForURL(`${url}/`);
  };

  await page.goto(`${url}/login`);
  widths.push(await overflowOf(page));
  await press('Create an account with a passkey');
  await arriveAt('/settings');
  const codename = await page.getByLabel('Your codename').inputValue();
  await signOut();
  await page.goto(`${url}/login`);
  await press('Sign in with a passkey');
  await arriveAt('/settings');
  const again = await page.getByLabel('Your codename').inputValue();

  // The account's passkey is on the laptop, so the browser refuses to create another one there.
  await page.goto(`${url}/settings/sign-in`);
  await press('Add a passkey');
  await page.getByText('This device already has a passkey').waitFor();
  await laptop.detach();
  const phone = await authenticators.attach();
  await page.getByLabel('Passkey name').fill('Phone');
  await press('Add a passkey');
  await arriveAt('/settings/sign-in?done=linked');
  await page.getByRole('link', { name: 'Rename passkey Phone' }).click();
  await page.getByLabel('Passkey name').fill('Work phone');
  await press('Rename passkey');
  await arriveAt('/settings/sign-in?done=renamed');
  await press(/^Unlink Passkey (?!Work)/);
  await arriveAt('/settings/sign-in?done=unlinked');
  const left = await page.locator('main').innerText();
  await signOut();
  await page.goto(`${url}/login`);
  await press('Sign in with a passkey');
  await arriveAt('/settings');
  await signOut();

  await phone.detach();
  const { stdout } = await runAdmin(['login-link', codename], {
    DATA_DIR: server.dataDir,
    BASE_URL: url,
  });
  await page.goto(/https?:\S+/.exec(stdout)?.[0] ?? '');
  await press('Sign in');
  await arriveAt('/settings/sign-in?done=link');
  const recovered = await page.getByRole('status').first().innerText();
  const tablet = await authenticators.attach();
  await press('Add a passkey');
  await arriveAt('/settings/sign-in?done=linked');

  expect(again).toBe(codename);
  expect(left).toMatch(/Passkey Work phone[^]*cannot unlink your only sign-in method/);
  expect(recovered).toContain('Add a passkey');
  expect(await tablet.count()).toBe(1);
  expect(widths.filter((width) => width > 0)).toEqual([]);
  expect(misdeeds.console).toEqual([]);
  expect(misdeeds.foreign).toEqual([]);
  expect(server.log()).not.toContain('credential');
});

test('the pages with passkeys are accessible on a phone, in light and dark mode', async () => {
  const { server, url } = await aPasskeyServer();
  const [name = '', value = ''] = (await server.signIn('ada')).split('=');
  const faults: string[] = [];
  for (const dark of [true, false]) {
    const { page } = await aPage(url, { width: 360, dark });
    const inspect = async (path: string) => {
      const response = await page.goto(`${url}${path}`);
      faults.push(...(await htmlFaults((await response?.text()) ?? '')));
      faults.push(...(await accessibilityFaults(page)), ...(await smallTargets(page)));
    };
    await inspect('/login');
    await page.context().addCookies([{ name, value, url }]);
    const authenticators = await anAuthenticator(page);
    await authenticators.attach();
    await inspect('/settings/sign-in');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.waitForURL(/done=linked/);
    await inspect('/settings/sign-in');
    const rename = page.getByRole('link', { name: /^Rename passkey/ }).first();
    await inspect((await rename.getAttribute('href')) ?? '');
  }

  expect(faults).toEqual([]);
});

test('an app gets access and a device enrolls after a sign-in with a passkey', async () => {
  const { url } = await aPasskeyServer();
  const { page, misdeeds } = await aPage(url, { width: 360 });
  const authenticators = await anAuthenticator(page);
  await authenticators.attach();
  const redirect_uri = `${url}/docs`;
  const registered = await page.request.post(`${url}/oauth/register`, {
    data: { client_name: 'An app', redirect_uris: [redirect_uri] },
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const wish = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid',
    state: 's',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  };

  await page.goto(`${url}/oauth/authorize?${new URLSearchParams(wish).toString()}`);
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
  await page.getByRole('heading', { name: 'Connect this app?' }).waitFor();
  await page.getByRole('button', { name: /Allow/ }).click();
  await page.waitForURL(/\/docs\?code=/);
  await page.goto(`${url}/settings`);
  await page.getByRole('button', { name: 'Confirm codename' }).click();
  await page.getByRole('button', { name: 'Add a device' }).click();
  const code = await page.getByRole('status').first().innerText();

  expect(code).toMatch(/^[0-9A-Z-]{17}/);
  expect(misdeeds.console).toEqual([]);
});

test('a passkey that the account removed does not sign in, and the page says what to do', async () => {
  const { server, url } = await aPasskeyServer();
  const { page } = await aPage(url, { width: 360 });
  const authenticators = await anAuthenticator(page);
  await authenticators.attach();
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Create an account with a passkey' }).click();
  await page.waitForURL(`${url}/settings`);
  await page.goto(`${url}/settings/data`);
  const codename = /Signed in as (\S+)/.exec(await page.locator('main').innerText())?.[1] ?? '';
  await page.getByLabel('Type your codename').fill(codename);
  await page.getByRole('button', { name: 'Delete account' }).click();
  await page.waitForURL(`${url}/settings/deleted`);

  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const alert = await page.getByRole('alert').innerText();

  expect(alert).toContain('does not know this passkey');
  expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(true);
  expect(server.log()).not.toContain(codename);
});

test('without JavaScript, the page offers the other methods and says what passkeys need', async () => {
  const { url } = await aPasskeyServer();
  const { page, misdeeds } = await aPage(url, { width: 360, script: false });

  await page.goto(`${url}/login`);
  const text = await page.locator('main').innerText();
  const method = page.getByRole('button', { name: 'Email me a sign-in link' });
  const hasMail = await method.isVisible();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const alert = await page.getByRole('alert').innerText();

  expect(text).toContain('Passkeys need JavaScript');
  expect(hasMail || text.includes('one-time link')).toBe(true);
  expect(alert).toContain('Passkeys need JavaScript');
  expect(misdeeds.foreign).toEqual([]);
});
