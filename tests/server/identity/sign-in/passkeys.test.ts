import { describe, expect, test } from 'vitest';
import { readAccountMethods } from '#server/identity/sign-in/accounts.ts';
import { readPasskeyOffer, renamePasskey } from '#server/identity/sign-in/passkeys.ts';
import { readSignInMethods } from '#server/identity/sign-in/sign-in-methods.ts';
import { anOperator, dumpOf, testContext } from '#tests/support/board/context.ts';
import { aPasskey } from '#tests/support/http/authenticator.ts';
import { PASSKEY_URL, aPasskeyBoard } from '#tests/support/http/passkey-board.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const visit = { request: new Request(PASSKEY_URL), peer: '192.0.2.1' };

describe('readPasskeyOffer()', () => {
  test('offers passkeys first if the address allows them', () => {
    const { ctx } = aPasskeyBoard();
    expect(readPasskeyOffer(ctx)).toEqual({ policy: 'open', domain: 'bench.example.org' });
    expect(readSignInMethods(ctx, visit)[0]).toBe('passkey');
  });

  test('has no domain where browsers do not allow passkeys', async () => {
    const { ctx, aSignIn } = aPasskeyBoard('http://bench.example.org');
    expect(readPasskeyOffer(ctx)).toEqual({ policy: 'open', domain: null });
    expect(readSignInMethods(ctx, visit)).toEqual([]);
    await expect(aSignIn()).rejects.toEqual(refusal('not_found'));
  });

  test('is null if passkeys are switched off, or another provider signs people in', () => {
    const { ctx } = aPasskeyBoard();
    ctx.config.signIn.passkeys = 'off';
    expect(readPasskeyOffer(ctx)).toBeNull();
    const { signIn } = testContext().config;
    const authority = { url: 'https://id.example.org' } as NonNullable<typeof signIn.authority>;
    expect(readPasskeyOffer(testContext({ signIn: { ...signIn, authority } }))).toBeNull();
  });
});

describe('renamePasskey()', () => {
  test('changes the name of an own passkey only', async () => {
    const { ctx, signUp } = aPasskeyBoard();
    const { operator } = await signUp();
    const stranger = anOperator(ctx, 'stranger');
    const [{ id = '' } = {}] = readAccountMethods(ctx, operator.id);

    renamePasskey(ctx, operator.id, { id, name: ' Work laptop ' });

    const renaming = () => renamePasskey(ctx, stranger.id, { id, name: 'Mine' });
    expect(renaming).toThrow(refusal('not_found'));
    expect(readAccountMethods(ctx, operator.id)[0]?.label).toBe('Work laptop');
  });

  test.each(['', ' ', 'a'.repeat(61), 'a\u202Eb'])('rejects the name %j', async (name) => {
    const { ctx, signUp } = aPasskeyBoard();
    const { operator } = await signUp();
    const [{ id = '' } = {}] = readAccountMethods(ctx, operator.id);

    const renaming = () => renamePasskey(ctx, operator.id, { id, name });
    expect(renaming).toThrow(refusal('validation_failed'));
  });
});

test('stores challenges and browsers only as hashes', async () => {
  const { ctx, aSignIn, signUp } = aPasskeyBoard();
  const { passkey } = await signUp(aPasskey(PASSKEY_URL));
  const { options } = await aSignIn();

  expect(JSON.stringify(dumpOf(ctx))).not.toContain(options.challenge);
  expect(JSON.stringify(dumpOf(ctx)['account_events'])).not.toContain(passkey.rawId);
});
