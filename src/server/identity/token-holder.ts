import { epochSeconds } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Resource } from '#core/domain/account/oauth.ts';
import { subjectOf } from './sign-in/accounts.ts';
import type { AppContext } from '../context.ts';
import { type AccessToken, readAccessToken } from './access-tokens.ts';
import { sha256Hex } from '../process/crypto.ts';
import { noteUse } from './last-use.ts';

/** Who holds an access token, and what it allows. */
export interface TokenHolder {
  operator_id: number;
  scopes: readonly string[];
  /** Whether it was given to the companion site on another host. */
  isSatellite: boolean;
}

/**
 * Who holds an access token for one of the board's resources.
 *
 * @throws {DomainError} `token_invalid`, `insufficient_scope` or `service_unavailable`.
 */
export async function tokenHolder(
  ctx: AppContext,
  token: string,
  resource: Resource,
): Promise<TokenHolder> {
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
    ? 'The access token was revoked by its operator'
    : 'Nobody has signed in here with this account yet: open /login once';
  throw new DomainError('token_invalid', detail);
}

/**
 * Providers name the client by either of two claims.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9068#section-2.2 | RFC 9068, section 2.2}
 */
function isSatellite({ config }: AppContext, { client_id, azp }: AccessToken['payload']): boolean {
  const { satellite } = config.agents;
  return satellite !== null && [client_id, azp].includes(satellite.clientId);
}

/** What is kept instead of whom a provider elsewhere names. */
export function externalSubject(ctx: AppContext, subject: string): string {
  return subjectOf(ctx, 'oidc', `${ctx.provider.issuer}\n${subject}`);
}

/** Whose a token of the board's own provider is, while what it was granted by is still there. */
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
