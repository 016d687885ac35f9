/** The companion site on another host: exported, signed in to through the board's own provider. */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { aPage } from '../support/pages/browser.ts';
import { anActive } from '../support/board/boards.ts';
import { bucketsOfDays } from '../support/board/builders.ts';
import { aDataDir } from '../support/board/context.ts';
import { aFilledFolder } from '../support/board/filled-folder.ts';
import { daysAgo } from '../support/agent/installation.ts';
import { runBuilt } from '../support/http/process.ts';
import { startServer } from '../support/http/server.ts';
import { aStaticSite } from '../support/pages/static-site.ts';

/** A board, its exported site on another host, and a browser in which ada is signed in at the board. */
async function aSiteElsewhere() {
  const folder = join(aDataDir(), 'site');
  const site = await aStaticSite(folder);
  const dataDir = aFilledFolder(0, (ctx) => {
    anActive(ctx, 'ada', bucketsOfDays(20, daysAgo(20), { input: 2000 }));
    anActive(ctx, 'grace', bucketsOfDays(20, daysAgo(20), { input: 600 }));
  });
  const env = { SATELLITE_URL: site, REFRESH_SECONDS: '2' };
  const server = await startServer({ dataDir, env });
  const { status, stderr } = await runBuilt('opbench-board.mjs', ['satellite', folder], {
    BASE_URL: server.url,
    SATELLITE_URL: site,
  });
  expect([status, stderr]).toEqual([0, expect.stringContaining(site)]);
  const { page, misdeeds } = await aPage(new URL(site).origin, {
    width: 900,
    args: ['--enable-features=WebMCP'],
  });
  const [name = '', value = ''] = (await server.signIn('ada')).split('=');
  await page.context().addCookies([{ name, value, url: server.url }]);
  return { server, site, page, misdeeds };
}

async function signIn(page: Page, verdict = 'Allow'): Promise<string> {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/login\/interaction\//);
  const asked = await page.locator('main').innerText();
  await page.getByRole('button', { name: verdict, exact: true }).click();
  return asked;
}

/** Everything that the page's origin stores in the browser. */
const KEPT = `(async () => JSON.stringify([
  { ...sessionStorage }, { ...localStorage }, document.cookie, history.state,
  await indexedDB.databases(), await caches.keys(),
]))()`;
const NOTHING = JSON.stringify([{}, {}, '', null, [], []]);

test("signs in, returns the board's answers, stores nothing, and reports errors", async () => {
  const { server, site, page, misdeeds } = await aSiteElsewhere();
  const calls: string[] = [];
  page.on('request', (request) => {
    const { authorization } = request.headers();
    if (authorization !== undefined) calls.push(`${request.url()} ${authorization}`);
  });
  const callTool = async () => (await page.webmcp.callTool('discover_peers')) as Told;
  const main = () => page.locator('main').innerText();
  const signedOut = () => page.getByRole('button', { name: 'Sign in' }).waitFor();
  const signedIn = () => page.getByText(/^ada, class/).waitFor();

  // Denied, then opened with a foreign answer.
  await page.goto(site);
  await signIn(page, 'Deny');
  await page.waitForURL(site);
  await signedOut();
  const denied = await main();
  await page.goto(`${site}?code=stolen&state=of-another&iss=x`);
  await signedOut();
  const unasked = await main();
  const cleaned = page.url();

  const asked = await signIn(page);
  await page.waitForURL(site);
  await signedIn();
  const shown = await main();
  const kept = await page.evaluate(KEPT);
  const told = await callTool();
  const [address = '', , token = ''] = calls[0]?.split(' ') ?? [];
  const asSite = { headers: { Authorization: `Bearer ${token}` } };
  const rest = await fetch(address, asSite);
  const beyond = await fetch(`${server.url}/api/v1/me`, asSite);
  await page.reload();
  await signedOut();
  const reloaded = await main();

  expect(denied).toContain('You did not allow this site to connect');
  expect(unasked).toContain('does not belong to a sign-in that started in this tab');
  expect(cleaned).toBe(site);
  expect(asked).toMatch(/Opbench companion site asks to read the peers .* admin of this board/);
  expect(asked).toContain('your codename, your class and your peers, and nothing else');
  expect(asked).toContain('15 minutes');
  expect(asked).not.toContain('act for you');
  expect(shown).toContain('grace');
  expect(kept).toBe(NOTHING);
  expect([new Set(calls).size, address]).toEqual([1, `${server.url}/api/v1/peers`]);
  expect([rest.status, beyond.status]).toEqual([200, 403]);
  expect(groupsOf(told.structuredContent)).toEqual(groupsOf(await rest.json()));
  expect(reloaded).toContain('You are not signed in');
  expect(misdeeds.console).toEqual([]);
  const known = [new URL(site).origin, server.url];
  expect(misdeeds.foreign.filter((url) => !known.includes(new URL(url).origin))).toEqual([]);

  // The operator revokes access, which takes effect at once.
  await signIn(page);
  await signedIn();
  const settings = await page.context().newPage();
  await settings.goto(`${server.url}/settings/applications`);
  const out = settings.getByRole('button', { name: 'Revoke access of Opbench companion site' });
  await out.first().click();
  await settings.waitForURL(/done=/);
  const refused = await callTool();
  await signedOut();

  expect(refused.isError).toBe(true);
  expect(refused.content[0]?.text).toContain('"unauthenticated"');
});

interface Told {
  content: { text: string }[];
  structuredContent?: object;
  isError?: boolean;
}

/** Without the parts that change with every publication. */
function groupsOf(body: unknown) {
  const { codename, class_tier, mentors, same_tier, complementary } = body as Record<
    string,
    unknown
  >;
  return { codename, class_tier, mentors, same_tier, complementary };
}
