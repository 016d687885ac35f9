import { type Adapter, Lucia, TimeSpan } from 'lucia';
import type { Store } from '#db/store.ts';
import { DAY_MS } from '#core/domain/day.ts';
import { sha256Hex } from './crypto.ts';

/** A session ends after so many days without a visit, and after `ABSOLUTE_DAYS` in any case. */
const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

declare module 'lucia' {
  interface Register {
    Lucia: Lucia;
    UserId: number;
  }
}

/** Sign-in sessions. The cookie holds the id; the store only ever sees its SHA-256. */
export interface Sessions {
  /** Starts a session and returns its `Set-Cookie` value. */
  start(operator_id: number): Promise<string>;
  /** Whose session a `Cookie` header carries, and a `Set-Cookie` value if it was renewed. */
  read(cookieHeader: string | null): Promise<{ operator_id: number; setCookie?: string } | null>;
  /** Ends the session that a `Cookie` header carries and returns the `Set-Cookie` value that clears it. */
  end(cookieHeader: string | null): Promise<string>;
}

export function createSessions(store: Store, secure: boolean, now: () => Date): Sessions {
  const lucia = new Lucia(hashingAdapter(store, now), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    sessionCookie: {
      name: secure ? '__Host-session' : 'session',
      attributes: { secure, sameSite: 'lax', path: '/' },
    },
  });
  return {
    async start(operator_id) {
      const session = await lucia.createSession(operator_id, {});
      return lucia.createSessionCookie(session.id).serialize();
    },
    async read(cookieHeader) {
      const id = lucia.readSessionCookie(cookieHeader ?? '');
      const { session } = id ? await lucia.validateSession(id) : { session: null };
      if (!session) return null;
      const operator_id = session.userId;
      if (!session.fresh) return { operator_id };
      return { operator_id, setCookie: lucia.createSessionCookie(session.id).serialize() };
    },
    async end(cookieHeader) {
      const id = lucia.readSessionCookie(cookieHeader ?? '');
      if (id) await lucia.invalidateSession(id);
      return lucia.createBlankSessionCookie().serialize();
    },
  };
}

/** Lucia hands ids back that it was given, so what it reads carries the raw id and what is stored its hash. */
function hashingAdapter(store: Store, now: () => Date): Adapter {
  return {
    async getSessionAndUser(id) {
      const row = store.sessions.byHash(sha256Hex(id));
      if (!row || Date.parse(row.created_at) + ABSOLUTE_DAYS * DAY_MS < now().getTime()) {
        return [null, null];
      }
      const userId = row.operator_id;
      return [
        { id, userId, expiresAt: new Date(row.expires_at), attributes: {} },
        { id: userId, attributes: {} },
      ];
    },
    async getUserSessions(userId) {
      return store.sessions.ofOperator(userId).map((row) => ({
        id: row.id_hash,
        userId,
        expiresAt: new Date(row.expires_at),
        attributes: {},
      }));
    },
    async setSession({ id, userId, expiresAt }) {
      store.sessions.removeExpired(now().toISOString());
      store.sessions.add({
        id_hash: sha256Hex(id),
        operator_id: userId,
        created_at: now().toISOString(),
        expires_at: expiresAt.toISOString(),
      });
    },
    async updateSessionExpiration(id, expiresAt) {
      store.sessions.renew(sha256Hex(id), expiresAt.toISOString());
    },
    async deleteSession(id) {
      store.sessions.remove(sha256Hex(id));
    },
    async deleteUserSessions(userId) {
      store.sessions.removeOfOperator(userId);
    },
    async deleteExpiredSessions() {
      store.sessions.removeExpired(now().toISOString());
    },
  };
}
