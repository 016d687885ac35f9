/** The readers of a board that only its members can read. */
import { type SiteRoute, isOpen } from '#core/contract/route-table.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { readApiKey } from '#server/identity/api-keys.ts';
import { sessionCaller, tokenCaller } from './caller.ts';

/**
 * Checks the credential of a reader, and returns the cookie of a renewed session.
 *
 * @throws {DomainError} `unauthenticated` without a credential, or what is wrong with it.
 */
export type AdmitReader = (request: Request) => Promise<{ setCookie: string | null }>;

/** Returns the check for a route and method; null if anyone may read it. The route is null if there is none. */
export type Readers = (route: SiteRoute | null, method: string) => AdmitReader | null;

const BADGES = new Set(['/badge/{codename}.svg', '/shields/{codename}.json']);

export function readersOf(ctx: AppContext): Readers {
  return (route, method) => {
    const { read, publicBadges } = ctx.config.access;
    if (read === 'public' || (route && isOpen(route, method))) return null;
    if (publicBadges && route && BADGES.has(route.path)) return null;
    return route?.kind === 'mcp' ? admitApp(ctx) : admitMember(ctx);
  };
}

function admitApp(ctx: AppContext): AdmitReader {
  return async (request) => {
    await tokenCaller(ctx, request, ['bearer'], 'mcp');
    return { setCookie: null };
  };
}

function admitMember(ctx: AppContext): AdmitReader {
  return async (request) => {
    const key = request.headers.get('x-api-key');
    if (key !== null && readApiKey(ctx.store, key)) return { setCookie: null };
    if (request.headers.has('authorization')) {
      await tokenCaller(ctx, request, ['bearer', 'device']);
      return { setCookie: null };
    }
    const session = await sessionCaller(ctx, request);
    if (session) return session;
    const detail = 'Only members can read this board. Sign in, or send a token or an API key';
    throw new DomainError('unauthenticated', detail);
  };
}
