import { randomBytes } from 'node:crypto';
import { DomainError } from '#core/domain/text/errors.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { newcomerOf, refuseUninvited } from '../joining/newcomers.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { type ProposedAccount, proposeAccount } from './accounts.ts';
import { bindBrowser } from './browser.ts';
import { requirePasskeys, userHandleOf } from './passkeys.ts';
import { checkPurpose } from './sign-in.ts';

/** How long a browser may take to answer, in milliseconds (5 minutes). */
export const CHALLENGE_TTL_MS = 5 * 60 * 1000;

/** Without attestation, nobody learns the model of an authenticator. */
const ATTESTATION = 'none';

/** Ed25519, ECDSA with P-256, and RSA with SHA-256, in COSE numbers. */
export const ALGORITHMS = [-8, -7, -257];

interface PasskeyRequest {
  /** To sign in, to create an account, or to add a passkey to the account of the purpose. */
  action: 'add' | 'sign-in' | 'sign-up';
  purpose: SignInPurpose;
  cookieHeader: string | null;
}

/**
 * Creates a challenge that only this browser can answer, once. Returns the options for the browser's API, as JSON,
 * and the cookies to set.
 */
export async function beginPasskey(
  ctx: AppContext,
  { action, purpose, cookieHeader }: PasskeyRequest,
) {
  const { policy, domain } = requirePasskeys(ctx);
  await checkPurpose(ctx, purpose, cookieHeader);
  if (action === 'sign-up' && policy !== 'open') {
    throw new DomainError('not_found', 'This board does not create accounts with passkeys');
  }
  if (action === 'sign-up') refuseUninvited(ctx, newcomerOf(ctx, cookieHeader));
  const account = accountFor(ctx, action, purpose);
  const challenge = randomBytes(32);
  const { browser, setCookie } = bindBrowser(cookieHeader, ctx.config.baseUrl);
  ctx.store.passkeyChallenges.add({
    ...browser.hide(purpose),
    ...(account ?? { public_id: null, codename: null }),
    challenge_hash: sha256Hex(challenge.toString('base64url')),
    browser_hash: browser.browser_hash,
    expires_at: new Date(ctx.now().getTime() + CHALLENGE_TTL_MS).toISOString(),
  });
  const request = { challenge, domain };
  const options = account
    ? await creationOptions(ctx, account, request)
    : await signInOptions(request);
  return { options, cookies: [setCookie] };
}

/** The account for which a passkey is created; null to sign in. */
function accountFor(
  ctx: AppContext,
  action: PasskeyRequest['action'],
  { operator_id }: SignInPurpose,
): ProposedAccount | null {
  if (action === 'sign-up' && operator_id === null) return proposeAccount(ctx);
  const operator = operator_id === null ? undefined : ctx.store.operators.byId(operator_id);
  if (action === 'add' && operator) {
    const { public_id, codename } = operator;
    return { public_id, codename };
  }
  if (action === 'sign-in' && operator_id === null) return null;
  throw new DomainError('validation_failed', 'Reload the page and try again');
}

interface OptionsRequest {
  challenge: Buffer<ArrayBuffer>;
  domain: string;
}

/** No list of passkeys, so that browsers offer all of this board without a codename being typed. */
async function signInOptions({ challenge, domain }: OptionsRequest) {
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  return generateAuthenticationOptions({
    rpID: domain,
    challenge,
    userVerification: 'required',
    timeout: CHALLENGE_TTL_MS,
  });
}

async function creationOptions(
  { store, config }: AppContext,
  { public_id, codename }: ProposedAccount,
  { challenge, domain }: OptionsRequest,
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const operator = store.operators.byPublicId(public_id);
  const known = operator ? store.passkeys.ofOperator(operator.id) : [];
  return generateRegistrationOptions({
    rpID: domain,
    rpName: config.site.name,
    userID: userHandleOf(public_id),
    userName: codename,
    userDisplayName: codename,
    challenge,
    attestationType: ATTESTATION,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id }) => ({
      id: Buffer.from(credential_id).toString('base64url'),
    })),
    timeout: CHALLENGE_TTL_MS,
  });
}
