import { describe, expect, test } from 'vitest';
import { CHALLENGE_TTL_MS } from '#server/identity/sign-in/begin-passkey.ts';
import {
  readAccountEvents,
  readAccountMethods,
  unlinkMethod,
} from '#server/identity/sign-in/accounts.ts';
import { anOperator, dumpOf } from '#tests/support/board/context.ts';
import { aPasskey } from '#tests/support/http/authenticator.ts';
import { PASSKEY_URL, aPasskeyBoard } from '#tests/support/http/passkey-board.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { aBrowser } from '#tests/support/http/sign-in.ts';

const FAILED = refusal('sign_in_failed');
const failedWith = (part: string) =>
  expect.objectContaining({ message: expect.stringContaining(part) });

describe('finishPasskey(): sign-up', () => {
  test('creates an account under the codename that the authenticator shows', async () => {
    const { ctx, signUp } = aPasskeyBoard();

    const { passkey, operator } = await signUp();

    expect(operator.codename).toMatch(/^[a-z]+-[a-z]+-\d{1,3}$/);
    expect(operator.codename_confirmed).toBe(0);
    expect(passkey.userHandle).toBe(
      Buffer.from(operator.public_id.replaceAll('-', ''), 'hex').toString('base64url'),
    );
    expect(readAccountMethods(ctx, operator.id)).toMatchObject([
      { method: 'passkey', label: 'Firefox on Linux' },
    ]);
  });

  test('never finds an account by the ID of a new passkey', async () => {
    const { signUp, begin, finish, anInteraction } = aPasskeyBoard();
    const victim = await signUp();
    const thief = aPasskey(PASSKEY_URL);
    const { browser, purpose } = anInteraction();
    const options = await begin(browser, 'sign-up', purpose);

    const claim = thief.create(options, {}, victim.passkey.id);

    await expect(finish(browser, claim)).rejects.toEqual(refusal('method_taken'));
  });

  test('generates another codename if the proposed one was taken meanwhile', async () => {
    const { ctx, provider, begin, finish, anInteraction } = aPasskeyBoard();
    const { browser, purpose } = anInteraction();
    const options = await begin(browser, 'sign-up', purpose);
    const [{ codename }] = dumpOf(ctx)['passkey_challenges'] as [{ codename: string }];
    anOperator(ctx, codename);

    await finish(browser, aPasskey(PASSKEY_URL).create(options));

    const operator = ctx.store.operators.byPublicId(provider.told.get(purpose.interaction) ?? '');
    expect(operator?.codename).toMatch(/^[a-z]+-[a-z]+-\d{1,3}$/);
    expect(operator?.codename).not.toBe(codename);
  });

  test('is refused unless the board is open to new operators', async () => {
    const { ctx, begin, anInteraction } = aPasskeyBoard();
    ctx.config.signIn.passkeys = 'members';
    const { browser, purpose } = anInteraction();

    await expect(begin(browser, 'sign-up', purpose)).rejects.toEqual(refusal('not_found'));
    await expect(begin(browser, 'sign-in', purpose)).resolves.toBeDefined();
  });
});

describe('finishPasskey(): sign-in', () => {
  test('finds the account without a codename, and stores no challenge afterwards', async () => {
    const { ctx, signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const { browser, options, told } = await aSignIn();

    await finish(browser, passkey.use(options));

    expect(JSON.parse(JSON.stringify(options))).not.toHaveProperty('allowCredentials');
    expect(told()).toBe(operator.public_id);
    expect(dumpOf(ctx)['passkey_challenges']).toEqual([]);
    expect(readAccountEvents(ctx, operator.id)[0]).toMatchObject({
      kind: 'signed_in',
      detail: 'Passkey: Firefox on Linux',
    });
  });

  test('throws sign_in_failed after 5 minutes', async () => {
    const { ctx, signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey } = await signUp();
    const [early, late] = [await aSignIn(), await aSignIn()];

    ctx.clock.nowMs += CHALLENGE_TTL_MS - 1;
    await finish(early.browser, passkey.use(early.options));
    ctx.clock.nowMs += 1;

    await expect(finish(late.browser, passkey.use(late.options))).rejects.toEqual(FAILED);
  });

  test('throws sign_in_failed for a challenge that was used, even by a failed attempt', async () => {
    const { signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey } = await signUp();
    const [used, failed] = [await aSignIn(), await aSignIn()];
    const answer = passkey.use(used.options);
    await finish(used.browser, answer);
    const wrong = passkey.use(failed.options, { isVerified: false });
    await expect(finish(failed.browser, wrong)).rejects.toEqual(FAILED);

    await expect(finish(used.browser, answer)).rejects.toEqual(FAILED);
    await expect(finish(failed.browser, passkey.use(failed.options))).rejects.toEqual(FAILED);
  });

  test('throws sign_in_failed in another browser, and leaves the challenge to the first one', async () => {
    const { signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const { browser, options, told } = await aSignIn();
    const other = await aSignIn();
    const answer = passkey.use(options);

    await expect(finish(other.browser, answer)).rejects.toEqual(FAILED);
    await expect(finish(aBrowser(), answer)).rejects.toEqual(FAILED);
    await finish(browser, answer);

    expect(told()).toBe(operator.public_id);
  });

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a subdomain', { origin: 'https://www.bench.example.org' }],
    ['another port', { origin: 'https://bench.example.org:444' }],
    ['another domain', { domain: 'example.org' }],
    ['an unverified user', { isVerified: false }],
  ])('throws sign_in_failed for %s', async (_, over) => {
    const { signUp, aSignIn, anAddition, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const { browser, options, told } = await aSignIn();
    const addition = await anAddition(operator.id);
    const second = aPasskey(PASSKEY_URL).create(addition.options, over);

    await expect(finish(browser, passkey.use(options, over))).rejects.toEqual(FAILED);
    await expect(finish(addition.browser, second)).rejects.toEqual(FAILED);
    expect(told()).toBeUndefined();
  });

  test('throws sign_in_failed for an unknown, removed, or differently signed passkey', async () => {
    const { ctx, signUp, aSignIn, anAddition, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const attempt = async (used: typeof passkey) => {
      const { browser, options } = await aSignIn();
      return finish(browser, used.use(options));
    };
    const stranger = aPasskey(PASSKEY_URL);
    stranger.userHandle = passkey.userHandle;
    await expect(attempt(stranger)).rejects.toEqual(failedWith('does not know'));

    stranger.id.set(passkey.id);
    await expect(attempt(stranger)).rejects.toEqual(failedWith('not valid'));

    const second = aPasskey(PASSKEY_URL);
    const { browser, options } = await anAddition(operator.id);
    await finish(browser, second.create(options), 'Phone');
    const methods = readAccountMethods(ctx, operator.id);
    const first = methods.find(({ label }) => label !== 'Phone');
    unlinkMethod(ctx, operator.id, first?.id ?? '');
    await expect(attempt(passkey)).rejects.toEqual(failedWith('does not know'));
    await expect(attempt(second)).resolves.toBeDefined();
  });

  test('throws sign_in_failed if the passkey names another account', async () => {
    const { signUp, aSignIn, finish } = aPasskeyBoard();
    const [ada, bob] = [await signUp(), await signUp()];
    const { browser, options } = await aSignIn();
    ada.passkey.userHandle = bob.passkey.userHandle;

    await expect(finish(browser, ada.passkey.use(options))).rejects.toEqual(FAILED);
  });

  test('warns the operator of a signature counter that does not advance', async () => {
    const { ctx, signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const attempt = async (counter: number) => {
      passkey.counter = counter;
      const { browser, options } = await aSignIn();
      return finish(browser, passkey.use(options));
    };
    await attempt(0);
    await attempt(0);
    await attempt(7);

    await expect(attempt(7)).rejects.toEqual(failedWith('may have been copied'));
    await expect(attempt(6)).rejects.toEqual(FAILED);
    await expect(attempt(0)).rejects.toEqual(FAILED);

    const events = readAccountEvents(ctx, operator.id).map(({ kind }) => kind);
    expect(events.filter((kind) => kind === 'passkey_rejected')).toHaveLength(3);
    await expect(attempt(8)).resolves.toBeDefined();
  });

  test('does not warn of a counter with a forged signature', async () => {
    const { ctx, signUp, aSignIn, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const forger = aPasskey(PASSKEY_URL);
    forger.id.set(passkey.id);
    forger.userHandle = passkey.userHandle;
    const { browser, options } = await aSignIn();

    await expect(finish(browser, forger.use(options))).rejects.toEqual(FAILED);

    const kinds = readAccountEvents(ctx, operator.id).map(({ kind }) => kind);
    expect(kinds).not.toContain('passkey_rejected');
  });

  test.each([
    ['', 'validation_failed'],
    ['{', 'validation_failed'],
    ['null', 'sign_in_failed'],
    ['{"response":{"clientDataJSON":"e30"}}', 'sign_in_failed'],
  ] as const)('throws for %j instead of an answer', async (credential, code) => {
    const { aSignIn, finish } = aPasskeyBoard();
    const { browser } = await aSignIn();

    await expect(finish(browser, credential)).rejects.toEqual(refusal(code));
  });
});

describe('finishPasskey(): another passkey', () => {
  test('is added under its name, and keeps the authenticators of the account apart', async () => {
    const { ctx, signUp, anAddition, finish } = aPasskeyBoard();
    const { passkey, operator } = await signUp();
    const { browser, options } = await anAddition(operator.id);
    const second = aPasskey(PASSKEY_URL);

    const { location } = await finish(browser, second.create(options), ' Phone ');

    expect(options).toMatchObject({ excludeCredentials: [{ id: passkey.rawId }] });
    expect(second.userHandle).toBe(passkey.userHandle);
    expect(location).toBe('/settings/sign-in?done=linked');
    const labels = readAccountMethods(ctx, operator.id).map(({ label }) => label);
    expect(labels.sort()).toEqual(['Firefox on Linux', 'Phone']);
  });

  test('is not added to an account from which the browser was signed out', async () => {
    const { ctx, signUp, anAddition, finish } = aPasskeyBoard();
    const { operator } = await signUp();
    const { browser, options } = await anAddition(operator.id);
    ctx.store.sessions.removeOfOperator(operator.id);

    const adding = finish(browser, aPasskey(PASSKEY_URL).create(options));

    await expect(adding).rejects.toEqual(FAILED);
    expect(readAccountMethods(ctx, operator.id)).toHaveLength(1);
  });

  test('cannot be removed if it is the last sign-in method', async () => {
    const { ctx, signUp } = aPasskeyBoard();
    const { operator } = await signUp();
    const [only] = readAccountMethods(ctx, operator.id);

    expect(() => unlinkMethod(ctx, operator.id, only?.id ?? '')).toThrow(refusal('method_last'));
  });
});
