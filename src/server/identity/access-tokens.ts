import { type JWTPayload, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { DomainError } from '#core/domain/text/errors.ts';
import { NEEDED_SCOPE, type Resource } from '#core/domain/account/oauth.ts';
import type { Provider } from './provider/provider.ts';

/** What an issuer's clock may be off, in seconds. */
const CLOCK_TOLERANCE_S = 10;

/** What an access token says once it was checked. */
export interface AccessToken {
  subject: string;
  scopes: readonly string[];
  payload: JWTPayload;
}

/**
 * Checks an access token for one of the board's resources.
 *
 * @throws {DomainError} `token_invalid` if it is none, or not for this.
 * @throws {DomainError} `insufficient_scope` if it was given for less.
 * @throws {DomainError} `service_unavailable` if the issuer's keys cannot be had.
 * @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-4 | RFC 9068, section 4}
 */
export async function readAccessToken(
  { issuer, tokens }: Pick<Provider, 'issuer' | 'tokens'>,
  token: string,
  { resource, now }: { resource: Resource; now: Date },
): Promise<AccessToken> {
  const keys = await tokens.keys().catch(() => {
    throw new DomainError('service_unavailable', 'The sign-in service does not answer');
  });
  const { payload } = await jwtVerify(token, keys, {
    algorithms: [...tokens.algorithms],
    typ: tokens.typ,
    issuer,
    audience: tokens.audiences(resource),
    requiredClaims: ['exp', 'iat', 'sub'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate: now,
  }).catch((error: unknown) => {
    if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
      throw new DomainError('service_unavailable', 'The sign-in service does not answer');
    }
    throw new DomainError('token_invalid', `The access token is not valid: ${error.message}`);
  });
  // A token that is bound to a key proves nothing without that key.
  if (payload['cnf'] !== undefined) {
    throw new DomainError('token_invalid', 'The access token is bound to a key of its owner');
  }
  const scopes = scopesOf(payload);
  if (!scopes.includes(NEEDED_SCOPE)) {
    throw new DomainError('insufficient_scope', `The access token lacks the scope ${NEEDED_SCOPE}`);
  }
  return { subject: payload.sub ?? '', scopes, payload };
}

/**
 * What a token says that it is, in small letters; nothing vouches for that yet.
 *
 * @throws {DomainError} `token_invalid` if it is no JWT.
 */
export function tokenType(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).typ?.toLowerCase();
  } catch {
    throw new DomainError('token_invalid', 'The token is no JWT');
  }
}

/** As one text, or as some providers write it, a list. */
function scopesOf({ scope, scp }: JWTPayload & { scope?: unknown; scp?: unknown }): string[] {
  const given = scope ?? scp;
  if (typeof given === 'string') return given.split(' ');
  return Array.isArray(given) ? given.map(String) : [];
}
