/** Browsers that sign in to a board whose provider asks who they are. */
import type { AppContext } from '#server/context.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Mail, Mailer } from '#server/mail/mailer.ts';

/** The provider's cookie in the browser that it asks. */
const ASKED = 'interaction';

/** A browser with its cookies. */
/** A person whom neither a rule nor an invitation speaks for. */
export const UNINVITED = { isExpected: false, invitationHash: null };

export interface Browser {
  cookieHeader: string;
  userAgent: string;
  /** Stores `Set-Cookie` values. */
  keep(...setCookies: readonly string[]): void;
}

/** A browser that the provider asks in these interactions. */
export function aBrowser(...asked: readonly string[]): Browser {
  const jar = new Map(asked.map((uid) => [ASKED, uid]));
  return {
    get cookieHeader() {
      return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    },
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    keep(...setCookies) {
      for (const setCookie of setCookies) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
        if (/max-age=0/i.test(setCookie)) jar.delete(name);
        else jar.set(name, value);
      }
    },
  };
}

/** Installs a provider that asks every browser by the interaction in its cookie, and records who signed in. */
export function anAskingProvider(ctx: AppContext): {
  over: Set<string>;
  told: Map<string, string>;
} {
  const over = new Set<string>();
  const told = new Map<string, string>();
  const who = { id: 'web', name: null, redirectHost: '' };
  const client = { ...who, isOwn: true, isKept: false, isLocal: false };
  const asks = { prompt: 'login', client, scopes: [], resource: null, mustAsk: false } as const;
  const unused = () => Promise.reject(new Error('No page calls it here'));
  const interactions = {
    read: async (uid: string) => (over.has(uid) ? null : { uid, ...asks, account: null }),
    isOf: (uid: string, cookies: string | null) => (cookies ?? '').includes(`${ASKED}=${uid}`),
    finishLogin: async (uid: string, publicId: string) => {
      if (over.has(uid)) throw new DomainError('interaction_expired', 'It is over');
      told.set(uid, publicId);
      return `/login/interaction/${uid}?proof=of-${publicId}`;
    },
    redeem: unused,
    approve: unused,
    deny: unused,
  };
  ctx.provider = { ...ctx.provider, interactions };
  return { over, told };
}

/** A mail server in memory. The last email's token is the one in its link. */
export function aPostOffice(): { mailer: Mailer; mails: Mail[]; lastToken(): string } {
  const mails: Mail[] = [];
  return {
    mailer: { send: async (mail) => void mails.push(mail) },
    mails,
    lastToken: () => /token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '',
  };
}
