import { getPeers } from '#core/contract/peers.ts';
import type { Credential } from '#core/contract/route.ts';
import { DEVICE_TOKEN_TYPE } from '#core/domain/signing/device-token.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Resource } from '#core/domain/account/oauth.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { tokenHolder, tokenType } from '#server/identity/access-tokens.ts';
import { readDeviceToken } from '#server/identity/device-tokens.ts';
import { isStillWelcome } from '#server/identity/sign-in/upstream-session.ts';

/** A caller by session, and the cookie of a renewed session, to be sent back. */
export interface SessionCaller {
  caller: Caller;
  setCookie: string | null;
}

/** Whose session the request's cookie carries, if any. */
export async function sessionCaller(ctx: AppContext, request: Request) {
  const session = await ctx.sessions.read(request.headers.get('cookie'));
  if (!session || !(await isStillWelcome(ctx, session))) return null;
  const { operator_id, session_id, setCookie = null } = session;
  return { caller: { operator_id, device_id: null, session_id }, setCookie };
}

/**
 * Whom the request's token names: a device by its own, an operator through an application by an access
 * token. One of the companion site on another host reads peers and nothing else.
 *
 * @param resource What an access token has to be for.
 * @throws {DomainError} `token_invalid` or `insufficient_scope` if it does not hold here.
 * @throws {DomainError} `credential_unsuitable` if it holds, but its kind does not serve.
 */
export async function tokenCaller(
  ctx: AppContext,
  request: Request,
  accepted: readonly Credential[],
  resource: Resource = 'api',
): Promise<Caller> {
  const token = bearerOf(request);
  const isDevice = tokenType(token) === DEVICE_TOKEN_TYPE;
  const caller = isDevice
    ? await deviceCaller(ctx, request, token)
    : await applicationCaller(ctx, request, token, resource);
  if (accepted.includes(isDevice ? 'device' : 'bearer')) return caller;
  const whose = isDevice ? 'A device token' : 'An access token';
  throw new DomainError('credential_unsuitable', `${whose} does not serve here`);
}

async function applicationCaller(
  ctx: AppContext,
  { url }: Request,
  token: string,
  resource: Resource,
): Promise<Caller> {
  const { operator_id, scopes, isSatellite } = await tokenHolder(ctx, token, resource);
  // Pages of another host hold it: it reaches no further than these need.
  if (isSatellite && new URL(url).pathname !== getPeers.path) {
    throw new DomainError(
      'credential_unsuitable',
      `A token of the companion site serves at ${getPeers.path} alone`,
    );
  }
  return { operator_id, device_id: null, scopes };
}

async function deviceCaller(ctx: AppContext, request: Request, token: string): Promise<Caller> {
  const { pathname } = new URL(request.url);
  const key = await readDeviceToken(
    ctx.store,
    token,
    { audience: ctx.config.baseUrl, method: request.method, path: pathname },
    ctx.now(),
  );
  return { operator_id: key.operator_id, device_id: key.device_id };
}

/** A refusal of an Authorization header that no client should have sent. */
export class BearerFormError extends DomainError {}

/**
 * The token that a request carries in its Authorization header.
 *
 * @throws {DomainError} `unauthenticated` if it carries another credential, `request_malformed` if it is none.
 */
export function bearerOf({ headers }: Request): string {
  const authorization = headers.get('authorization') ?? '';
  if (!/^Bearer(?: |$)/i.test(authorization)) {
    throw new DomainError(
      'unauthenticated',
      'The Authorization header is not of the scheme Bearer',
    );
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token) return token;
  throw new BearerFormError('request_malformed', 'The Authorization header holds no single token');
}
