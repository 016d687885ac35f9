import { randomUUID } from 'node:crypto';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import type { SessionRow } from '#db/sessions.ts';
import type { Store } from '#db/store.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { SessionMethod } from '#core/schema/account.ts';
import { browserLabel } from './sign-in/browser-label.ts';
import { readCookie } from './cookies.ts';
import { sha256Hex } from '../process/crypto.ts';
import { noteUse } from './last-use.ts';

/** A session ends after so many days without a visit, and after `ABSOLUTE_DAYS` in any case. */
export const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Attributes>;
    UserId: number;
    DatabaseSessionAttributes: Attributes;
  }
}

/** What is kept of a session besides whose it is and when it ends. */
type Attributes = Pick<SessionRow, 'label' | 'last_seen_at' | 'method' | 'public_id'>;

/** How a session begins. */
export interface SessionStart {
  /** Null or absent where that is not known. */
  method?: SessionMethod | null;
  /** The browser's User-Agent header, of which only the browser's kind is kept. */
  userAgent?: string | null;
}

/** A session that runs. */
export interface RunningSession {
  operator_id: number;
  /** What its operator revokes it by. */
  session_id: string;
  /** The `Set-Cookie` value of a session that was renewed. */
  setCookie?: string;
}

/** Sign-in sessions. The cookie holds the id; the store only ever sees its SHA-256. */
export interface Sessions {
  /** Starts a session and returns its `Set-Cookie` value. */
  start(operator_id: number, how?: SessionStart): Promise<string>;
  /** The session that a `Cookie` header carries. */
  read(cookieHeader: string | null): Promise<RunningSession | null>;
  /** Ends the session that a `Cookie` header carries and returns the `Set-Cookie` value that clears it. */
  end(cookieHeader: string | null): Promise<string>;
}

export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-session' : 'session';
}

/** @param isStorageFault Tells an error of the disk or the database, for which no visit fails. */
export function createSessions(
  store: Store,
  secure: boolean,
  now: () => Date,
  isStorageFault: (error: unknown) => boolean,
): Sessions {
  const lucia = new Lucia(hashingAdapter(store, now, isStorageFault), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    sessionCookie: {
      name: sessionCookieName(secure),
      attributes: { secure, sameSite: 'lax', path: '/' },
    },
    getSessionAttributes: (attributes) => attributes,
  });
  return {
    async start(operator_id, { method = null, userAgent = null } = {}) {
      const session = await lucia.createSession(operator_id, {
        public_id: randomUUID(),
        method,
        label: browserLabel(userAgent),
        last_seen_at: now().toISOString(),
      });
      return lucia.createSessionCookie(session.id).serialize();
    },
    async read(cookieHeader) {
      const id = readCookie(cookieHeader, lucia.sessionCookieName);
      const { session } = id ? await lucia.validateSession(id) : { session: null };
      if (!session) return null;
      noteUse(session.last_seen_at, now(), (at) => store.sessions.see(sha256Hex(session.id), at));
      const running = { operator_id: session.userId, session_id: session.public_id };
      if (!session.fresh) return running;
      return { ...running, setCookie: lucia.createSessionCookie(session.id).serialize() };
    },
    async end(cookieHeader) {
      const id = readCookie(cookieHeader, lucia.sessionCookieName);
      if (id) store.sessions.remove(sha256Hex(id));
      return lucia.createBlankSessionCookie().serialize();
    },
  };
}

/** Lucia hands ids back that it was given, so what it reads carries the raw id and what is stored its hash. */
function hashingAdapter(
  store: Store,
  now: () => Date,
  isStorageFault: (error: unknown) => boolean,
): Adapter {
  const ifPossible = (write: () => unknown) => {
    try {
      write();
    } catch (error) {
      // The next visit tries again.
      if (!isStorageFault(error)) throw error;
    }
  };
  return {
    async getSessionAndUser(id) {
      const row = store.sessions.byHash(sha256Hex(id));
      if (!row || lastDay(row) < now().getTime()) return [null, null];
      return [sessionOf(row, id), { id: row.operator_id, attributes: {} }];
    },
    // The ids of these are hashes, which lucia would hash again: revoke by public id instead.
    async getUserSessions(userId) {
      return store.sessions.ofOperator(userId).map((row) => sessionOf(row, row.id_hash));
    },
    async setSession({ id, userId, expiresAt, attributes }) {
      const row = {
        ...attributes,
        id_hash: sha256Hex(id),
        operator_id: userId,
        created_at: now().toISOString(),
        expires_at: expiresAt.toISOString(),
      };
      store.transaction(() => store.sessions.add(row));
    },
    // Both belong to a visit, which fails of neither.
    async updateSessionExpiration(id, expiresAt) {
      ifPossible(() => store.sessions.renew(sha256Hex(id), expiresAt.toISOString()));
    },
    async deleteSession(id) {
      ifPossible(() => store.sessions.remove(sha256Hex(id)));
    },
    async deleteUserSessions(userId) {
      store.sessions.removeOfOperator(userId);
    },
    async deleteExpiredSessions() {
      store.expiry.forgetExpired(now());
    },
  };
}

function sessionOf(row: SessionRow, id: string): DatabaseSession {
  const { operator_id: userId, expires_at, public_id, method, label, last_seen_at } = row;
  const attributes = { public_id, method, label, last_seen_at };
  return { id, userId, expiresAt: new Date(expires_at), attributes };
}

/** When a session ends, in epoch milliseconds: however often it is used, not after its last day. */
export function sessionEnd({ created_at, expires_at }: SessionRow): number {
  return Math.min(Date.parse(expires_at), lastDay({ created_at }));
}

function lastDay({ created_at }: Pick<SessionRow, 'created_at'>): number {
  return Date.parse(created_at) + ABSOLUTE_DAYS * DAY_MS;
}
