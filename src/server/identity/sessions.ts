import { randomUUID } from 'node:crypto';
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from 'lucia';
import type { SessionRow } from '#db/sessions.ts';
import type { Store } from '#db/store.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { SessionMethod, Caller, BrowserSession } from '#core/schema/account.ts';
import { readCookie } from './cookies.ts';
import { sha256Hex } from '../process/crypto.ts';
import type { Sessions, SessionState } from '#core/contract/sessions.ts';
import type { AppContext } from '#server/context.ts';
import { avatarUrl } from '#server/operator/profile.ts';
import { DomainError } from '#core/domain/text/errors.ts';

/** A session ends after this many days without a visit, and after `ABSOLUTE_DAYS` in any case. */
export const IDLE_DAYS = 30;
const ABSOLUTE_DAYS = 90;

declare module 'lucia' {
  interface Register {
    Lucia: Lucia<Attributes>;
    UserId: number;
    DatabaseSessionAttributes: Attributes;
  }
}

type Attributes = Pick<
  SessionRow,
  'label' | 'last_seen_at' | 'method' | 'public_id' | 'signed_in_at'
>;

interface SessionStart {
  method?: SessionMethod | null;
  userAgent?: string | null;
  /** When the person proved who they are; now if absent. */
  signedInAt?: Date;
}

interface RunningSession {
  operator_id: number;
  session_id: string;
  /** When the person last proved who they are; null if unknown. */
  signed_in_at: string | null;
  setCookie?: string;
}

/** Sign-in sessions. The cookie holds the ID; the store sees only its SHA-256. */
export interface SessionStore {
  start(operator_id: number, how?: SessionStart): Promise<string>;
  read(cookieHeader: string | null): Promise<RunningSession | null>;
  end(cookieHeader: string | null): Promise<string>;
}

export function sessionCookieName(secure: boolean): string {
  return secure ? '__Host-session' : 'session';
}

export function createSessions(
  store: Store,
  secure: boolean,
  now: () => Date,
  isStorageFault: (error: unknown) => boolean,
): SessionStore {
  const lucia = new Lucia(hashingAdapter(store, now, isStorageFault), {
    sessionExpiresIn: new TimeSpan(IDLE_DAYS, 'd'),
    sessionCookie: {
      name: sessionCookieName(secure),
      attributes: { secure, sameSite: 'lax', path: '/' },
    },
    getSessionAttributes: (attributes) => attributes,
  });
  return {
    async start(operator_id, { method = null, userAgent = null, signedInAt = now() } = {}) {
      const session = await lucia.createSession(operator_id, {
        public_id: randomUUID(),
        method,
        label: browserLabel(userAgent),
        last_seen_at: now().toISOString(),
        signed_in_at: signedInAt.toISOString(),
      });
      return lucia.createSessionCookie(session.id).serialize();
    },
    async read(cookieHeader) {
      const id = readCookie(cookieHeader, lucia.sessionCookieName);
      const { session } = id ? await lucia.validateSession(id) : { session: null };
      if (!session) return null;
      noteUse(session.last_seen_at, now(), (at) => store.sessions.see(sha256Hex(session.id), at));
      const { userId: operator_id, public_id: session_id, signed_in_at } = session;
      const running = { operator_id, session_id, signed_in_at };
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

/** An adapter that gives Lucia raw session IDs and stores their hashes. */
function hashingAdapter(
  store: Store,
  now: () => Date,
  isStorageFault: (error: unknown) => boolean,
): Adapter {
  const ifPossible = (write: () => unknown) => {
    try {
      write();
    } catch (error) {
      // The next visit will try again.
      if (!isStorageFault(error)) throw error;
    }
  };
  return {
    async getSessionAndUser(id) {
      const row = store.sessions.byHash(sha256Hex(id));
      if (!row || lastDay(row) < now().getTime()) return [null, null];
      return [sessionOf(row, id), { id: row.operator_id, attributes: {} }];
    },
    // These IDs are hashes, which Lucia would hash again. Revoke sessions by public ID instead.
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
    // A visit does not fail if one of these writes fails.
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
  const { operator_id: userId, expires_at, ...stored } = row;
  const { public_id, method, label, last_seen_at, signed_in_at } = stored;
  const attributes = { public_id, method, label, last_seen_at, signed_in_at };
  return { id, userId, expiresAt: new Date(expires_at), attributes };
}

/** When a session ends, in epoch milliseconds. Use extends a session, but not beyond its last day. */
function sessionEnd({ created_at, expires_at }: SessionRow): number {
  return Math.min(Date.parse(expires_at), lastDay({ created_at }));
}

function lastDay({ created_at }: Pick<SessionRow, 'created_at'>): number {
  return Date.parse(created_at) + ABSOLUTE_DAYS * DAY_MS;
}

/** The shortest time between two recorded uses, in milliseconds, because each one is a write. */
const NOTED_MS = 60 * 60 * 1000;

/**
 * Records a use from time to time. A failed write does not fail the read.
 *
 * @param last When a use was last recorded, if ever.
 */
export function noteUse(last: string | null, now: Date, note: (at: string) => void): void {
  if (last !== null && now.getTime() - Date.parse(last) < NOTED_MS) return;
  try {
    note(now.toISOString());
  } catch {
    // The next use will be recorded.
  }
}

/** The first match wins, because most browsers also include the names of others. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/\S+ (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const READ_CHARACTERS = 400;

/** For example `Firefox on Linux`; `A browser` or `A program` if it is unknown. */
export function browserLabel(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, READ_CHARACTERS);
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
  const name = browser ?? (text.startsWith('Mozilla/') ? 'A browser' : 'A program');
  return system === undefined ? name : `${name} on ${system}`;
}

/** The browsers in which the caller is signed in, most recently seen first. */
export function readSessions(
  { store, now }: AppContext,
  { operator_id, session_id }: Caller,
): Sessions {
  const rows = store.sessions.ofOperator(operator_id);
  const sessions = rows.map((row) => browserSessionOf(row, session_id));
  const time = now().toISOString();
  return { sessions: sessions.filter(({ expires_at }) => expires_at > time) };
}

export function readSession(ctx: AppContext, caller: Caller | null): SessionState {
  const operator = caller && ctx.store.operators.byId(caller.operator_id);
  if (!operator) return { signedIn: false, operator: null };
  const { codename, display_name } = operator;
  const avatar_url = avatarUrl(ctx, operator);
  return { signedIn: true, operator: { codename, display_name, avatar_url } };
}

export function endSession({ store }: AppContext, { operator_id, session_id }: Caller, id: string) {
  const row = store.sessions.revoke(operator_id, id);
  if (!row) throw new DomainError('not_found', `You have no session with the ID ${id}`);
  return browserSessionOf(row, session_id);
}

/** Signs the caller out in all browsers except the current one. */
export function endOtherSessions({ store }: AppContext, { operator_id, session_id }: Caller) {
  const rows = store.sessions.revokeOthers(operator_id, session_id ?? '');
  return rows.map((row) => browserSessionOf(row, session_id));
}

/** The label of sessions that have none stored. */
const UNKNOWN_BROWSER = 'A browser';

/** A session as its operator sees it. */
export function browserSessionOf(row: SessionRow, current: string | undefined): BrowserSession {
  const { public_id: id, method, label, created_at, last_seen_at } = row;
  const expires_at = new Date(sessionEnd(row)).toISOString();
  return {
    id,
    current: id === current,
    method,
    label: label ?? UNKNOWN_BROWSER,
    created_at,
    last_seen_at,
    expires_at,
  };
}
