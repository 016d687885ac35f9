import { type JWTPayload, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { NEEDED_SCOPE, type Resource } from '#core/domain/account/oauth.ts';
import { epochSeconds } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';
import type { Provider } from './provider/provider.ts';
import { noteUse } from './sessions.ts';
import { subjectOf } from './sign-in/accounts.ts';

/** How far an issuer's clock may be off, in seconds. */
const CLOCK_TOLERANCE_S = 10;

export interface AccessToken {
  subject: string;
  scopes: readonly string[];
  payload: JWTPayload;
}

/** Checks an access token for one of the board's resources. */
async function readAccessToken(
  { issuer, tokens }: Pick<Provider, 'issuer' | 'tokens'>,
  token: string,
  { resource, now }: { resource: Resource; now: Date },
): Promise<AccessToken> {
  const keys = await tokens.keys().catch(() => {
    throw new DomainError('service_unavailable', 'The sign-in service is not responding');
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
      throw new DomainError('service_unavailable', 'The sign-in service is not responding');
    }
    throw new DomainError('token_invalid', `The access token is not valid: ${error.message}`);
  });
  // A key-bound token proves nothing without a proof of its key.
  if (payload['cnf'] !== undefined) {
    throw new DomainError(
      'token_invalid',
      'The access token is bound to a key (cnf), which this board does not support',
    );
  }
  const scopes = scopesOf(payload);
  if (!scopes.includes(NEEDED_SCOPE)) {
    throw new DomainError('insufficient_scope', `The access token lacks the scope ${NEEDED_SCOPE}`);
  }
  return { subject: payload.sub ?? '', scopes, payload };
}

/** The `typ` that a token claims, in lower case. The token is not verified yet. */
export function tokenType(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).typ?.toLowerCase();
  } catch {
    throw new DomainError('token_invalid', 'The token is not a JWT');
  }
}

function scopesOf({ scope, scp }: JWTPayload & { scope?: unknown; scp?: unknown }): string[] {
  const given = scope ?? scp;
  if (typeof given === 'string') return given.split(' ');
  return Array.isArray(given) ? given.map(String) : [];
}

/** The operator that an access token for one of the board's resources was issued for. */
export async function tokenHolder(
  ctx: AppContext,
  token: string,
  resource: Resource,
): Promise<{ operator_id: number; scopes: readonly string[]; isSatellite: boolean }> {
  const { subject, scopes, payload } = await readAccessToken(ctx.provider, token, {
    resource,
    now: ctx.now(),
  });
  const operator_id = ctx.provider.interactions
    ? granted(ctx, subject, String(payload['grant'] ?? ''))
    : ctx.store.identities.bySubject(externalSubject(ctx, subject))?.operator_id;
  if (operator_id !== undefined) {
    return { operator_id, scopes, isSatellite: isSatellite(ctx, payload) };
  }
  const detail = ctx.provider.interactions
    ? 'The access of this app was revoked or has ended. Connect it again'
    : 'This account has not signed in to this board yet. Sign in once at /login';
  throw new DomainError('token_invalid', detail);
}

/**
 * Providers name the client in one of two claims.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.2 | RFC 9068, section 2.2}
 */
function isSatellite({ config }: AppContext, { client_id, azp }: AccessToken['payload']): boolean {
  const { satellite } = config.agents;
  return satellite !== null && [client_id, azp].includes(satellite.clientId);
}

/** The keyed hash that is stored instead of an external provider's subject. */
export function externalSubject(ctx: AppContext, subject: string): string {
  return subjectOf(ctx, 'oidc', `${ctx.provider.issuer}\n${subject}`);
}

/** The operator of a token of the board's own provider; undefined if its grant was revoked or has expired. */
function granted({ store, now }: AppContext, subject: string, grant: string): number | undefined {
  const grant_hash = sha256Hex(grant);
  const operator = store.operators.byPublicId(subject);
  const held = store.oidc.find('Grant', grant_hash, epochSeconds(now()));
  const isOf = held && (JSON.parse(held.payload) as { accountId?: string }).accountId === subject;
  if (!operator || !isOf) return undefined;
  const application = store.applications.byGrant(grant_hash);
  if (application) {
    noteUse(application.last_used_at, now(), (at) => store.applications.use(grant_hash, at));
  }
  return operator.id;
}
