/** A board at an address that allows passkeys, and browsers that use them. */
import { beginPasskey } from '#server/identity/sign-in/begin-passkey.ts';
import { finishPasskey } from '#server/identity/sign-in/finish-passkey.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import { testContext } from '../board/context.ts';
import { type TestPasskey, aPasskey } from './authenticator.ts';
import { type Browser, aBrowser, anAskingProvider } from './sign-in.ts';

export const PASSKEY_URL = 'https://bench.example.org';

type Action = Parameters<typeof beginPasskey>[1]['action'];
/** The options that every browser gets. The other members depend on the action. */
type Options = { challenge: string; user: { id: string } };

export function aPasskeyBoard(baseUrl = PASSKEY_URL) {
  const ctx = testContext({ baseUrl });
  const provider = anAskingProvider(ctx);
  let asked = 0;

  /** A browser requests options, by default for an interaction of its own. */
  const begin = async (browser: Browser, action: Action, purpose: SignInPurpose) => {
    const { cookieHeader } = browser;
    const { options, cookies } = await beginPasskey(ctx, { action, purpose, cookieHeader });
    browser.keep(...cookies);
    return options as unknown as Options;
  };
  const anInteraction = () => {
    const uid = `interaction-${(asked += 1)}`;
    return { browser: aBrowser(uid), purpose: { interaction: uid, operator_id: null } } as const;
  };
  const finish = (browser: Browser, credential: string, name = '') =>
    finishPasskey(ctx, { credential, name }, browser);
  /** Creates an account with a passkey. Returns the operator's row. */
  const signUp = async (passkey: TestPasskey = aPasskey(PASSKEY_URL)) => {
    const { browser, purpose } = anInteraction();
    const options = await begin(browser, 'sign-up', purpose);
    await finish(browser, passkey.create(options));
    const publicId = provider.told.get(purpose.interaction) ?? '';
    const operator = ctx.store.operators.byPublicId(publicId);
    if (!operator) throw new Error('No account was created');
    return { passkey, operator };
  };
  /** A browser that is about to sign in, and its options. */
  const aSignIn = async () => {
    const { browser, purpose } = anInteraction();
    const options = await begin(browser, 'sign-in', purpose);
    const told = () => provider.told.get(purpose.interaction);
    return { browser, options, told };
  };
  /** A signed-in browser that is about to add a passkey, and its options. */
  const anAddition = async (operator_id: number) => {
    const browser = aBrowser();
    browser.keep(await ctx.sessions.start(operator_id));
    const options = await begin(browser, 'add', { interaction: null, operator_id });
    return { browser, options };
  };
  return { ctx, provider, begin, finish, signUp, aSignIn, anAddition, anInteraction };
}
