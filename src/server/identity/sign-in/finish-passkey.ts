import type { PasskeyChallenge } from '#db/passkeys.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { NewPasskey, PasskeyClientData, PasskeyName, UsedPasskey } from '#core/schema/passkey.ts';
import type { AppContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { newcomerOf } from '../joining/newcomers.ts';
import { browserLabel } from '../sessions.ts';
import { type MethodIdentity, type ProposedAccount, subjectOf } from './accounts.ts';
import { ALGORITHMS } from './begin-passkey.ts';
import { boundBrowser } from './browser.ts';
import { requirePasskeys, userHandleOf } from './passkeys.ts';
import { type SignInBrowser, type SignInResult, settle } from './sign-in.ts';

interface PasskeyAnswer {
  /** The browser's answer as JSON. */
  credential: string;
  /** The name of a new passkey; empty to name it after the browser. */
  name: string;
}

/**
 * Completes a sign-in, sign-up or addition with the browser's answer to a challenge. Each challenge works once, in the
 * browser for which it was created.
 */
export async function finishPasskey(
  ctx: AppContext,
  { credential, name }: PasskeyAnswer,
  browser: SignInBrowser,
): Promise<SignInResult> {
  const { domain } = requirePasskeys(ctx);
  const answer = readJson(credential);
  const label = parseAs(PasskeyName, name.trim() || browserLabel(browser.userAgent), 'The name');
  const clientData = readClientData(answer);
  const challenge = takeChallenge(ctx, clientData.challenge, browser);
  if (clientData.origin !== ctx.config.baseUrl) {
    throw failed(`The passkey was used at another address. Sign in at ${ctx.config.baseUrl}`);
  }
  const expected = {
    expectedChallenge: clientData.challenge,
    expectedOrigin: ctx.config.baseUrl,
    expectedRPID: domain,
    requireUserVerification: true,
  };
  const identity =
    challenge.public_id === null
      ? await identityOfUsed(ctx, parseAs(UsedPasskey, answer, 'The answer'), expected)
      : await identityOfNew(ctx, parseAs(NewPasskey, answer, 'The answer'), expected, {
          account: challenge,
          label,
        });
  return settle(ctx, challenge, identity, browser, newcomerOf(ctx, browser.cookieHeader));
}

interface Expected {
  expectedChallenge: string;
  expectedOrigin: string;
  expectedRPID: string;
  requireUserVerification: boolean;
}

async function identityOfNew(
  ctx: AppContext,
  response: NewPasskey,
  expected: Expected,
  { account, label }: { account: ProposedAccount; label: string },
): Promise<MethodIdentity> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { registrationInfo } = await verified(
    verifyRegistrationResponse({ response, ...expected, supportedAlgorithmIDs: ALGORITHMS }),
  );
  if (!registrationInfo) throw invalid();
  const { id, publicKey, counter } = registrationInfo.credential;
  const { public_id, codename } = account;
  return {
    method: 'passkey',
    subject: subjectOf(ctx, 'passkey', id),
    label,
    account: { public_id, codename },
    passkey: { credential_id: Buffer.from(id, 'base64url'), public_key: publicKey, counter },
  };
}

async function identityOfUsed(
  ctx: AppContext,
  response: UsedPasskey,
  expected: Expected,
): Promise<MethodIdentity> {
  const subject = subjectOf(ctx, 'passkey', response.id);
  const known = ctx.store.passkeys.bySubject(subject);
  const isOwn =
    known && userHandleOf(known.public_id).toString('base64url') === response.response.userHandle;
  if (!isOwn) {
    throw failed('This board does not know this passkey. It may have been removed in the settings');
  }
  const { identity_id, operator_id, label, public_key } = known;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { authenticationInfo } = await verified(
    verifyAuthenticationResponse({
      response,
      ...expected,
      // The library compares counters before it checks the signature. With 0, it leaves the comparison to this function.
      credential: { id: response.id, publicKey: Uint8Array.from(public_key), counter: 0 },
    }),
  );
  if (!ctx.store.passkeys.count(identity_id, authenticationInfo.newCounter)) {
    const created_at = ctx.now().toISOString();
    const event = { operator_id, kind: 'passkey_rejected', detail: label, created_at } as const;
    ctx.store.accountEvents.add(event);
    throw failed(
      'The passkey may have been copied, because its signature counter went back. Sign in another way and remove it',
    );
  }
  return { method: 'passkey', subject, label };
}

/** The library's errors are about the answer, and may quote it. */
async function verified<Result extends { verified: boolean }>(
  checking: Promise<Result>,
): Promise<Result> {
  const result = await checking.catch(() => null);
  if (result?.verified) return result;
  throw invalid();
}

function takeChallenge(
  ctx: AppContext,
  challenge: string,
  { cookieHeader }: SignInBrowser,
): PasskeyChallenge {
  const browser_hash = boundBrowser(cookieHeader, ctx.config.baseUrl)?.browser_hash ?? '';
  const key = { challenge_hash: sha256Hex(challenge), browser_hash };
  const found = ctx.store.passkeyChallenges.use(key, ctx.now().toISOString());
  if (found) return found;
  throw failed(
    'This attempt started in another browser, was already completed, or took longer than 5 minutes',
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DomainError(
      'validation_failed',
      'Passkeys need JavaScript. Turn it on, or use another sign-in method',
    );
  }
}

/** Every answer has these data, whether the passkey is new or not. */
function readClientData(answer: unknown) {
  const { response } = Object(answer) as { response?: { clientDataJSON?: unknown } | null };
  const text = Buffer.from(String(response?.clientDataJSON), 'base64url').toString();
  try {
    return PasskeyClientData.parse(JSON.parse(text));
  } catch {
    throw invalid();
  }
}

function invalid(): DomainError {
  return failed('The passkey’s answer is not valid for this board');
}

function failed(detail: string): DomainError {
  return new DomainError('sign_in_failed', detail);
}
