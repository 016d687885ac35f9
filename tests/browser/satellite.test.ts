/** The companion site on the board: what a reader sees, and what an agent in the browser gets. */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Peers } from '#core/contract/peers.ts';
import { pageTool } from '#core/contract/satellite.ts';
import { type Misdeeds, aPage } from '../support/pages/browser.ts';
import { aFilledFolder } from '../support/board/filled-folder.ts';
import { startServer } from '../support/http/server.ts';
import { type Site, aSite } from '../support/pages/site.ts';

interface Told {
  content: { text: string }[];
  structuredContent?: Peers;
  isError?: true;
}

let site: Site;

beforeAll(async () => {
  site = await aSite({ operators: 12, states: true });
  return () => site.stop();
});

interface Options {
  /** The signed-in operator, by state. */
  as?: string;
  /** Whether the browser supports WebMCP. */
  native?: boolean;
  script?: boolean;
}

/** A visitor's page, as first shown. */
async function open(url: string, { as, native = true, script = true }: Options = {}) {
  const args = native ? ['--enable-features=WebMCP'] : [];
  const { page, misdeeds } = await aPage(url, { script, args });
  if (as !== undefined) await signIn(page.context(), as);
  await page.goto(`${url}/satellite/`);
  if (script) await page.locator('#agent').waitFor();
  return { page, misdeeds };
}

async function signIn(context: BrowserContext, state: string): Promise<void> {
  await context.addCookies([await site.cookieOf(site.states?.codenames[state] ?? '')]);
}

const NOTHING: Misdeeds = { console: [], foreign: [] };

const textOf = (page: Page) => page.locator('main').innerText();
const operatorsOn = (page: Page) => page.locator('tbody th a').allInnerTexts();

async function call(page: Page, input: object = {}): Promise<Told> {
  return (await page.webmcp.callTool('discover_peers', input)) as unknown as Told;
}

/** The API's answer to the page's signed-in operator. */
async function restOf(page: Page, query = ''): Promise<Peers> {
  const response = await page.request.get(`${new URL(page.url()).origin}/api/v1/peers${query}`);
  return (await response.json()) as Peers;
}

function namesIn({ mentors, same_tier, complementary }: Peers): string[] {
  const groups = [mentors, same_tier, complementary];
  return groups.flatMap(({ entries }) =>
    entries.map(({ display_name, codename }) => display_name ?? codename),
  );
}

function errorIn({ content, isError }: Told): unknown {
  return [isError, JSON.parse(content[0]?.text ?? '')];
}

describe('for a signed-in reader', () => {
  test('an agent in a browser with WebMCP gets the answer of the API, and the page shows it', async () => {
    const { page, misdeeds } = await open(site.url, { as: 'identified' });
    const rest = await restOf(page);
    const shown = await operatorsOn(page);

    const [tool, ...others] = await page.webmcp.tools();
    const told = await call(page);
    const one = await call(page, { limit: 1 });
    const shownThen = await operatorsOn(page);
    const text = await textOf(page);
    const again = page.getByRole('button', { name: 'Restore previous view' });
    await again.click();
    await page
      .locator('tbody th a')
      .nth(shown.length - 1)
      .waitFor();
    const shownAgain = await operatorsOn(page);
    const wrong = await call(page, { limit: 0 });
    const isSame = await page.evaluate('navigator.modelContext === document.modelContext');

    const { name, description, inputSchema } = pageTool();
    expect(others).toEqual([]);
    expect(tool).toMatchObject({ name, description, inputSchema });
    expect(tool?.annotations).toEqual({ readOnly: true, untrustedContent: true });
    expect(namesIn(rest).length).toBeGreaterThan(3);
    expect(shown).toEqual(namesIn(rest));
    expect(told).toEqual({
      content: [{ type: 'text', text: JSON.stringify(rest) }],
      structuredContent: rest,
    });
    expect(one.structuredContent).toEqual(await restOf(page, '?limit=1'));
    expect(shownThen).toEqual(namesIn(one.structuredContent as Peers));
    expect(shownAgain).toEqual(shown);
    expect(text).toMatch(
      /An agent called the tool at [\d:]+ UTC and received up to 1 peers of each group/,
    );
    expect(errorIn(wrong)).toEqual([true, expect.objectContaining({ code: 'query_invalid' })]);
    expect(isSame).toBe(true);
    // The browser logs the expected error.
    expect(misdeeds.console).toEqual([expect.stringContaining('status of 400')]);
    expect(misdeeds.foreign).toEqual([]);
  });

  test('in a browser without WebMCP, the page provides it', async () => {
    const { page, misdeeds } = await open(site.url, { as: 'identified', native: false });
    const before = structuredClone(misdeeds);

    const [names, told] = (await page.evaluate(`(async () => {
      const tools = await document.modelContext.getTools();
      const told = await document.modelContext.executeTool(tools[0], '{}');
      return [tools.map(({ name }) => name), JSON.parse(told)];
    })()`)) as [string[], Told];
    const isSame = await page.evaluate('navigator.modelContext === document.modelContext');

    expect(names).toEqual(['discover_peers']);
    expect(told.structuredContent).toEqual(await restOf(page));
    expect(await textOf(page)).toContain('The page includes a replacement');
    expect([isSame, before]).toEqual([true, NOTHING]);
  });

  test('an unranked operator sees the missing requirements', async () => {
    const { page, misdeeds } = await open(site.url, { as: 'one-day' });

    expect(await textOf(page)).toMatch(/Not ranked yet[^]*2 of 14 active days/);
    expect((await call(page)).structuredContent?.reasons.length).toBeGreaterThan(0);
    expect(misdeeds).toEqual(NOTHING);
  });
});

describe('for a signed-out reader', () => {
  test('links to the sign-in and back, by keyboard, and asks the agent to request it', async () => {
    const { page, misdeeds } = await open(site.url);
    const text = await textOf(page);
    const told = await call(page);
    const link = page.getByRole('link', { name: 'Sign in' });

    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Tab');
    const isFocused = await link.evaluate((element) => element === document.activeElement);
    await signIn(page.context(), 'identified');
    await page.keyboard.press('Enter');
    await page.locator('tbody').first().waitFor();

    expect(text).toContain('You are not signed in.');
    expect(errorIn(told)).toEqual([true, expect.objectContaining({ code: 'unauthenticated' })]);
    expect([isFocused, new URL(page.url()).pathname]).toEqual([true, '/satellite/']);
    expect(misdeeds).toEqual(NOTHING);
  });

  test("a page restored from the browser's cache shows the current state", async () => {
    const { page } = await open(site.url);
    await signIn(page.context(), 'identified');

    await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    });
    await page.locator('tbody').first().waitFor();

    expect(await page.webmcp.tools()).toHaveLength(1);
  });

  test('without a script the page links your operator page', async () => {
    const { page } = await open(site.url, { script: false });

    const text = await textOf(page);
    await page.getByRole('link', { name: 'your account' }).click();

    expect(text).toContain('needs JavaScript');
    expect(new URL(page.url()).pathname).toMatch(/^\/login/);
  });
});

test('an expired session, a rate limit and an unreachable board are reported to reader and agent', async () => {
  const server = await startServer({
    dataDir: aFilledFolder(3),
    env: { RATE_LIMIT_PUBLIC: '2' },
  });
  const [name = '', value = ''] = (await server.signIn('ada')).split('=');
  const { page } = await open(server.url);
  await page.context().addCookies([{ name, value, url: server.url }]);
  const codeOf = async () => {
    const { content } = await call(page);
    const { code = 'none' } = JSON.parse(content[0]?.text ?? '') as { code?: string };
    return [code, await page.locator('#status').innerText()];
  };

  await call(page);
  await call(page);
  const limited = await codeOf();
  const hint = await page.locator('#answer').innerText();
  await fetch(`${server.url}/settings`, {
    method: 'POST',
    headers: { Cookie: `${name}=${value}`, Origin: server.url },
    body: new URLSearchParams({ action: 'sign-out' }),
  });
  const ended = await codeOf();
  await server.stop();
  const gone = await codeOf();
  await page.getByRole('button', { name: 'Try again' }).click();

  expect(limited).toEqual(['quota_exceeded', 'Too many requests.']);
  expect(hint).toMatch(/Try again in \d+ seconds\.\s+Try again$/);
  expect(ended).toEqual(['unauthenticated', 'You are not signed in.']);
  expect(gone).toEqual(['unreachable', 'The board did not answer.']);
  expect(await textOf(page)).toContain('Check your internet connection');
});
