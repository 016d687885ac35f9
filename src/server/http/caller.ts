import { DomainError } from '#core/domain/errors.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { readDeviceToken } from '../identity/device-tokens.ts';

/** A caller by session, and the cookie of a renewed session, to be sent back. */
export interface SessionCaller {
  caller: Caller;
  setCookie: string | null;
}

/** Whose session the request's cookie carries, if any. */
export async function sessionCaller(
  ctx: AppContext,
  request: Request,
): Promise<SessionCaller | null> {
  const session = await ctx.sessions.read(request.headers.get('cookie'));
  if (!session) return null;
  const { operator_id, setCookie = null } = session;
  return { caller: { operator_id, device_id: null }, setCookie };
}

/**
 * The device whose token the request carries.
 *
 * @throws {DomainError} `token_invalid` if it does not hold.
 */
export async function deviceCaller(ctx: AppContext, request: Request): Promise<Caller> {
  const authorization = request.headers.get('authorization') ?? '';
  const token = /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization)?.[1];
  if (!token) throw new DomainError('token_invalid', 'The Authorization header holds no token');
  const { pathname } = new URL(request.url);
  const key = await readDeviceToken(
    ctx.store,
    token,
    { audience: ctx.config.baseUrl, method: request.method, path: pathname },
    ctx.now(),
  );
  return { operator_id: key.operator_id, device_id: key.device_id };
}
