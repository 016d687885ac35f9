/** Steps that bring a page into the state in which it is checked. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import type { Site } from './site.ts';

export async function openNextPage(page: Page): Promise<void> {
  await page.locator('a[rel=next]').first().click();
  await page.waitForURL(/after=/);
}

export async function askForKey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a device' }).click();
  await page.getByRole('status').waitFor();
}

export async function renameDevice(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Rename / }).click();
  await page.waitForURL(/rename=/);
}

export async function revokeWrongly(page: Page): Promise<void> {
  await page.getByRole('link', { name: /^Revoke / }).click();
  await page.getByLabel(/^Type your codename/).fill('somebody');
  await page.getByRole('button', { name: /^Revoke / }).click();
  await page.locator('[aria-invalid=true]').waitFor();
}

export async function takeBadCodename(page: Page): Promise<void> {
  await page.getByLabel('Your codename').fill('Grace!');
  await page.getByRole('button', { name: 'Change codename' }).click();
  await page.locator('[aria-invalid=true]').waitFor();
}

export async function seePeers(page: Page): Promise<void> {
  await page.locator('#agent').waitFor();
}

export async function openMessage(page: Page): Promise<void> {
  await page.locator('.entries a').first().click();
  await page.waitForURL(/\/admin\/messages\/./);
}

export async function openLoginLink(page: Page, site: Site): Promise<void> {
  await page.goto(site.newLoginLink());
}

export async function openInvitation(page: Page, site: Site): Promise<void> {
  await page.goto(site.newInvitation());
}

export async function openConfirmation(page: Page, site: Site): Promise<void> {
  await page.goto(await site.newConfirmation());
}

export async function openUnsubscribeLink(page: Page, site: Site): Promise<void> {
  await page.goto(site.newUnsubscribeLink());
}

export async function stopEmail(page: Page, site: Site): Promise<void> {
  await openUnsubscribeLink(page, site);
  await page.getByRole('button', { name: /^Stop / }).click();
  await page.getByRole('heading', { name: 'Stopped' }).waitFor();
}

export async function chooseMail(page: Page): Promise<void> {
  await page.goto(`${page.url()}/mail`);
}

export async function askForMail(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill('somebody@example.org');
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click();
  await page.waitForURL(/\/login\/mail$/);
}

export async function openMailLink(page: Page, { url }: Site): Promise<void> {
  await askForMail(page);
  await page.goto(`${url}/dev/mail`);
  await page
    .getByRole('link', { name: /\/login\/mail\/link/ })
    .first()
    .click();
  await page.waitForURL(/\/login\/mail\/link/);
}

/** Sends the form of a new challenge with days that are over. */
export async function createWrongChallenge(page: Page): Promise<void> {
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByLabel('Last day').fill('2025-12-31');
  await page.getByRole('button', { name: 'Create challenge' }).click();
  await page.locator('[aria-invalid=true]').first().waitFor();
}

export async function rejectWithoutReason(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reject', exact: true }).first().click();
  await page.locator('[aria-invalid=true]').first().waitFor();
}

/** Starts an app's request for access as the signed-in operator. */
export async function openConsent(page: Page, { url }: Site): Promise<void> {
  const redirect_uri = 'http://localhost:33418/callback';
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A helper with a name',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid profile',
    resource: url,
    code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a state',
  });
  await page.goto(`${url}/oauth/authorize?${query.toString()}`);
}

/** Opens the setup page with a link that the board could have printed. */
export async function openSetup(page: Page, { url, dataDir }: Site): Promise<void> {
  const token = 'synthetic-setup-link';
  const db = new Database(join(dataDir, 'opbench.sqlite'));
  db.prepare('INSERT OR IGNORE INTO setup_links VALUES (?, ?, ?, NULL)').run(
    createHash('sha256').update(token).digest('hex'),
    new Date().toISOString(),
    '9999-01-01T00:00:00.000Z',
  );
  db.close();
  await page.goto(`${url}/setup?token=${token}`);
}

/** Breaks the database so that account pages fail. */
export async function breakBoard(page: Page, { url, dataDir }: Site): Promise<void> {
  const db = new Database(join(dataDir, 'opbench.sqlite'));
  db.exec('ALTER TABLE sessions RENAME TO lost_sessions');
  db.close();
  await page.context().addCookies([{ name: 'session', value: 'a'.repeat(40), url }]);
  await page.goto(`${url}/settings`);
}
