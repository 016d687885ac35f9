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

/** A caller with a session, and the cookie of a renewed session for the response. */
export interface SessionCaller {
  caller: Caller;
  /** When the person last proved who they are; null if unknown. */
  signedInAt: string | null;
  setCookie: string | null;
}

/** Returns the caller of the session in the request's cookie, if any. */
export async function sessionCaller(ctx: AppContext, request: Request) {
  const session = await ctx.sessions.read(request.headers.get('cookie'));
  if (!session || !(await isStillWelcome(ctx, session))) return null;
  const { operator_id, session_id, signed_in_at: signedInAt, setCookie = null } = session;
  return { caller: { operator_id, device_id: null, session_id }, signedInAt, setCookie };
}

/**
 * Returns the caller of the request's token: a device for a device token, or an operator for a connected app's access
 * token. A token of the companion site on another host only allows reading peers.
 *
 * @param resource The resource for which an access token must be valid.
 * @throws {DomainError} `token_invalid` or `insufficient_scope` if it is not valid here.
 * @throws {DomainError} `credential_unsuitable` if it is valid, but this kind is not accepted.
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
  throw new DomainError('credential_unsuitable', `${whose} is not accepted here`);
}

async function applicationCaller(
  ctx: AppContext,
  { url }: Request,
  token: string,
  resource: Resource,
): Promise<Caller> {
  const { operator_id, scopes, isSatellite } = await tokenHolder(ctx, token, resource);
  // Pages on another host hold this token, so it allows only what they need.
  if (isSatellite && new URL(url).pathname !== getPeers.path) {
    throw new DomainError(
      'credential_unsuitable',
      `A token of the companion site is accepted only at ${getPeers.path}`,
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

/** An Authorization header that is malformed. */
export class BearerFormError extends DomainError {}

/**
 * The token in a request's Authorization header.
 *
 * @throws {DomainError} `unauthenticated` if it has another scheme, `request_malformed` if it is malformed.
 */
export function bearerOf({ headers }: Request): string {
  const authorization = headers.get('authorization') ?? '';
  if (!/^Bearer(?: |$)/i.test(authorization)) {
    throw new DomainError('unauthenticated', 'The Authorization header must use the Bearer scheme');
  }
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token) return token;
  throw new BearerFormError(
    'request_malformed',
    'The Authorization header must contain exactly one token',
  );
}
