/** The board's sign-in as a client of the OpenID provider, whether that is its own or external. */
import {
  AuthorizationResponseError,
  authorizationCodeGrantRequest,
  calculatePKCECodeChallenge,
  generateRandomCodeVerifier,
  generateRandomNonce,
  generateRandomState,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  validateApplicationLevelSignature,
  validateAuthResponse,
} from 'oauth4webapi';
import { DomainError } from '#core/domain/text/errors.ts';
import { maskedAddress } from '#core/domain/account/sign-in-method.ts';
import { SCOPES } from '#core/domain/account/oauth.ts';
import type { Authority } from './provider.ts';
import { requestOptions } from './bounded-fetch.ts';

/** What the browser keeps from the start of a sign-in until it returns. */
export interface Transaction {
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
}

export interface Arrival {
  subject: string;
  /** The text by which the owner recognizes the account. */
  label: string;
  /** When the person signed in to the provider; null if it does not say. */
  signedInAt: Date | null;
  refreshToken: string | null;
}

interface SignInRequest {
  callback: string;
  returnTo: string;
  /** Whether the provider must ask the person to sign in, even if they have a session there. */
  isAgain: boolean;
}

export async function beginSignIn(
  authority: Authority,
  { callback, returnTo, isAgain }: SignInRequest,
) {
  const server = await reach(() => authority.server());
  const transaction = {
    state: generateRandomState(),
    nonce: generateRandomNonce(),
    verifier: generateRandomCodeVerifier(),
    returnTo,
  };
  const location = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: authority.client.client_id,
    redirect_uri: callback,
    scope: SCOPES.join(' '),
    state: transaction.state,
    nonce: transaction.nonce,
    code_challenge: await calculatePKCECodeChallenge(transaction.verifier),
    code_challenge_method: 'S256',
    ...(isAgain && { prompt: 'login' }),
  };
  Object.entries(parameters).forEach(([name, value]) => location.searchParams.set(name, value));
  return { location: location.href, transaction };
}

/** Exchanges the code that the browser brought back from the provider for the identity that signed in. */
export async function exchangeCode(
  authority: Authority,
  callback: string,
  { url, transaction }: { url: URL; transaction: Transaction },
): Promise<Arrival> {
  const { client } = authority;
  const server = await reach(() => authority.server());
  const options = requestOptions(authority.fetch, server.issuer);
  return reach(async () => {
    const parameters = validateAuthResponse(server, client, url, transaction.state);
    const response = await authorizationCodeGrantRequest(
      server,
      client,
      authority.clientAuth(server),
      parameters,
      callback,
      transaction.verifier,
      options,
    );
    const tokens = await processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: transaction.nonce,
      requireIdToken: true,
    });
    await validateApplicationLevelSignature(server, response, options);
    const claims = getValidatedIdTokenClaims(tokens);
    const { sub = '', ...said } = claims ?? {};
    const { preferred_username: name, email } = said as Record<string, unknown>;
    const label = typeof name === 'string' ? name : (masked(email) ?? new URL(server.issuer).host);
    const signedInAt = claims?.auth_time === undefined ? null : new Date(claims.auth_time * 1000);
    return { subject: sub, label, signedInAt, refreshToken: tokens.refresh_token ?? null };
  });
}

/**
 * Checks with the provider whether a session's grant is still valid, by its refresh token.
 *
 * @returns The next refresh token, or null if the grant was revoked.
 * @throws {DomainError} `method_unavailable` if the provider cannot be reached.
 */
export async function refresh(authority: Authority, refreshToken: string): Promise<string | null> {
  const { client } = authority;
  const server = await reach(() => authority.server());
  const options = requestOptions(authority.fetch, server.issuer);
  const auth = authority.clientAuth(server);
  try {
    const response = await refreshTokenGrantRequest(server, client, auth, refreshToken, options);
    const tokens = await processRefreshTokenResponse(server, client, response);
    return tokens.refresh_token ?? refreshToken;
  } catch (error) {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') return null;
    throw unreachable();
  }
}

/** Turns failures into errors that do not repeat the other server's text. */
async function reach<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof AuthorizationResponseError && error.error === 'access_denied') {
      throw new DomainError(
        'sign_in_failed',
        'You canceled the sign-in, or the sign-in service denied it',
      );
    }
    if (isNetworkError(error)) throw unreachable();
    throw new DomainError(
      'sign_in_failed',
      'The response of the sign-in service does not match this sign-in',
    );
  }
}

function isNetworkError(error: unknown): boolean {
  const name = error instanceof Error ? error.name : '';
  return error instanceof TypeError || name === 'TimeoutError' || name === 'AbortError';
}

function unreachable(): DomainError {
  return new DomainError('method_unavailable', 'The sign-in service is not responding');
}

function masked(email: unknown): string | null {
  const [, local = '', domain = ''] = /^(.+)@(.+)$/.exec(String(email ?? '')) ?? [];
  return domain === '' ? null : maskedAddress(local, domain);
}
