import { describe, expect, test } from 'vitest';
import { linkIdentity, subjectOf, readAccountMethods } from '#server/identity/sign-in/accounts.ts';
import { sendSignInMail } from '#server/identity/sign-in/send-sign-in-mail.ts';
import { useMailLink } from '#server/identity/sign-in/use-mail-link.ts';
import { boundBrowser } from '#server/identity/sign-in/browser.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { readAwaitedMail, readMailLink } from '#server/identity/sign-in/mail-link.ts';
import { MINUTE_MS } from '#tests/support/board/builders.ts';
import { type TestContext, anOperator, dumpOf, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import {
  type Browser,
  aBrowser,
  aPostOffice,
  anAskingProvider,
} from '#tests/support/http/sign-in.ts';

const ADDRESS = 'ada@example.org';

function aBoard() {
  const ctx = testContext();
  const provider = anAskingProvider(ctx);
  const post = aPostOffice();
  /** A browser requests an email to continue its interaction. */
  const ask = async (browser: Browser, interaction = 'one', address = ADDRESS) => {
    const purpose = { interaction, operator_id: null };
    const { cookieHeader } = browser;
    const request = { address, purpose, cookieHeader, client: interaction, mailer: post.mailer };
    browser.keep(await sendSignInMail(ctx, request));
    return post.lastToken();
  };
  return { ctx, provider, post, ask };
}

/** A signed-in browser requests to link a mailbox. */
async function askToLink(ctx: TestContext, codename: string, address = ADDRESS) {
  const { id } = anOperator(ctx, codename);
  const [browser, post] = [aBrowser(), aPostOffice()];
  browser.keep(await ctx.sessions.start(id));
  const purpose = { interaction: null, operator_id: id };
  const { cookieHeader } = browser;
  const request = { address, purpose, cookieHeader, client: codename, mailer: post.mailer };
  browser.keep(await sendSignInMail(ctx, request));
  return { browser, id, token: post.lastToken() };
}

const codeIn = (ctx: TestContext, { cookieHeader }: Browser) =>
  readAwaitedMail(ctx, cookieHeader)?.code ?? '';

describe('useMailLink()', () => {
  test('continues in the requesting browser, in a new account with a generated codename', async () => {
    const { ctx, provider, ask } = aBoard();
    const browser = aBrowser('one');
    const token = await ask(browser);
    const [kept] = dumpOf(ctx)['mail_links'] ?? [];

    const { location } = await useMailLink(ctx, { token, code: '' }, browser);

    const operator = ctx.store.operators.byId(1);
    // Only this browser can decrypt which interaction waits.
    expect(kept).toMatchObject({ interaction: expect.stringMatching(/^[\w-]{30,}$/) });
    expect(provider.told.get('one')).toBe(operator?.public_id);
    expect(location).toBe(`/login/interaction/one?proof=of-${operator?.public_id}`);
    expect(operator?.codename).toMatch(/^[a-z]+-[a-z]+-\d{1,3}$/);
    expect(operator?.codename_confirmed).toBe(0);
    expect(ctx.store.sessions.ofOperator(1)).toEqual([]);
  });

  test('finds the same account for any capitalization of the address', async () => {
    const { ctx, provider, ask } = aBoard();
    const [first, second] = [aBrowser('one'), aBrowser('two')];
    await useMailLink(ctx, { token: await ask(first), code: '' }, first);
    const token = await ask(second, 'two', '  ADA@Example.ORG ');
    await useMailLink(ctx, { token, code: '' }, second);

    expect(provider.told.get('two')).toBe(provider.told.get('one'));
    expect(ctx.store.operators.byId(2)).toBeUndefined();
  });

  test('does not sign a visitor in to the account of a person who forwarded a link', async () => {
    const { ctx, ask, provider } = aBoard();
    const [attacker, victim] = [aBrowser('one'), aBrowser('two')];
    const token = await ask(attacker, 'one', 'attacker@example.org');

    const forwarded = useMailLink(ctx, { token, code: '' }, victim);

    await expect(forwarded).rejects.toEqual(refusal('sign_in_failed'));
    expect(readMailLink(ctx, token, victim.cookieHeader)).toMatchObject({ isHere: false });
    expect(provider.told.size).toBe(0);
    expect(dumpOf(ctx)).toMatchObject({ operators: [], sessions: [] });
  });

  test('signs in another browser, with the code that the first one shows', async () => {
    const { ctx, provider, ask } = aBoard();
    const [here, elsewhere] = [aBrowser('one'), aBrowser()];
    const token = await ask(here);
    const code = codeIn(ctx, here);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;

    const { location, cookies } = await useMailLink(ctx, { token, code: typed }, elsewhere);
    elsewhere.keep(...cookies);

    expect(code).toMatch(/^\d{6}$/);
    expect(location).toBe('/settings');
    expect(await ctx.sessions.read(elsewhere.cookieHeader)).toMatchObject({ operator_id: 1 });
    expect(await ctx.sessions.read(here.cookieHeader)).toBeNull();
    expect(provider.told.size).toBe(0);
  });

  test("ends the other browser's earlier session", async () => {
    const { ctx, ask } = aBoard();
    const [here, elsewhere] = [aBrowser('one'), aBrowser()];
    elsewhere.keep(await ctx.sessions.start(anOperator(ctx, 'eve').id));
    const { cookieHeader } = elsewhere;
    const token = await ask(here);
    await useMailLink(ctx, { token, code: codeIn(ctx, here) }, elsewhere);

    expect(await ctx.sessions.read(cookieHeader)).toBeNull();
  });

  test('becomes invalid with the fifth wrong code, in the requesting browser too', async () => {
    const { ctx, ask } = aBoard();
    const [here, elsewhere] = [aBrowser('one'), aBrowser()];
    const token = await ask(here);
    const code = codeIn(ctx, here);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 1; tries <= 5; tries += 1) {
      const guess = useMailLink(ctx, { token, code: wrong }, elsewhere);
      await expect(guess).rejects.toEqual(refusal('sign_in_failed'));
    }

    const right = useMailLink(ctx, { token, code }, elsewhere);
    await expect(right).rejects.toEqual(refusal('sign_in_failed'));
    await expect(useMailLink(ctx, { token, code }, here)).rejects.toEqual(
      refusal('sign_in_failed'),
    );
  });

  test('works once, and invalidates the other links to that mailbox', async () => {
    const { ctx, ask } = aBoard();
    const browser = aBrowser('one');
    const tokens = [await ask(browser), await ask(browser)];
    await useMailLink(ctx, { token: tokens[1] ?? '', code: '' }, browser);

    for (const token of tokens) {
      const again = useMailLink(ctx, { token, code: '' }, browser);
      await expect(again).rejects.toEqual(refusal('sign_in_failed'));
    }
  });

  test('ends after 15 minutes', async () => {
    const { ctx, ask } = aBoard();
    const browser = aBrowser('one');
    const token = await ask(browser);
    ctx.clock.nowMs += 15 * MINUTE_MS;

    expect(readMailLink(ctx, token, browser.cookieHeader)).toBeNull();
    expect(readAwaitedMail(ctx, browser.cookieHeader)).toBeNull();
    const late = useMailLink(ctx, { token, code: '' }, browser);
    await expect(late).rejects.toEqual(refusal('sign_in_failed'));
  });

  test('is not used by opening it', async () => {
    const { ctx, ask } = aBoard();
    const browser = aBrowser('one');
    const token = await ask(browser);
    const before = dumpOf(ctx);
    const stranger = readMailLink(ctx, token, null);
    const own = readMailLink(ctx, token, browser.cookieHeader);

    expect([stranger, own]).toMatchObject([
      { isHere: false, label: 'a•••@example.org' },
      { isHere: true },
    ]);
    expect(dumpOf(ctx)).toEqual(before);
  });

  test("starts a session if the provider's interaction has expired", async () => {
    const { ctx, provider, ask } = aBoard();
    const browser = aBrowser('one');
    const token = await ask(browser);
    provider.over.add('one');

    const { location, cookies } = await useMailLink(ctx, { token, code: '' }, browser);
    browser.keep(...cookies);

    expect(location).toBe('/settings');
    expect(await ctx.sessions.read(browser.cookieHeader)).toMatchObject({ operator_id: 1 });
  });

  test('links a mailbox to the requesting account, in its browser', async () => {
    const ctx = testContext();
    const { browser, id, token } = await askToLink(ctx, 'ada');

    const { location } = await useMailLink(ctx, { token, code: '' }, browser);

    expect(location).toBe('/settings/sign-in?done=linked');
    expect(readAccountMethods(ctx, id)).toMatchObject([
      { method: 'email_magic_link', label: 'a•••@example.org' },
    ]);
  });

  test('links no mailbox in another browser, which may belong to another person', async () => {
    const ctx = testContext();
    const { browser, id, token } = await askToLink(ctx, 'eve');
    const victim = aBrowser();
    victim.keep(await ctx.sessions.start(anOperator(ctx, 'ada').id));
    const asking = boundBrowser(browser.cookieHeader, ctx.config.baseUrl);
    const code = asking?.codeFor(sha256Hex(token)) ?? '';

    const opened = useMailLink(ctx, { token, code }, victim);

    await expect(opened).rejects.toEqual(refusal('sign_in_failed'));
    expect(readAwaitedMail(ctx, browser.cookieHeader)?.code).toBeNull();
    expect(readAccountMethods(ctx, id)).toEqual([]);
  });

  test('links nothing once the requesting account is signed out', async () => {
    const ctx = testContext();
    const { browser, id, token } = await askToLink(ctx, 'ada');
    browser.keep(await ctx.sessions.end(browser.cookieHeader));

    const opened = useMailLink(ctx, { token, code: '' }, browser);

    await expect(opened).rejects.toEqual(refusal('sign_in_failed'));
    expect(readAccountMethods(ctx, id)).toEqual([]);
  });

  test("throws method_taken for another account's mailbox", async () => {
    const ctx = testContext();
    const owner = anOperator(ctx, 'owner').id;
    const subject = subjectOf(ctx, 'email_magic_link', ADDRESS);
    linkIdentity(ctx, owner, { method: 'email_magic_link', subject, label: 'a' });
    const { browser, id, token } = await askToLink(ctx, 'eve');

    const opened = useMailLink(ctx, { token, code: '' }, browser);

    await expect(opened).rejects.toEqual(refusal('method_taken'));
    expect(readAccountMethods(ctx, owner)).toHaveLength(1);
    expect(readAccountMethods(ctx, id)).toEqual([]);
  });
});
