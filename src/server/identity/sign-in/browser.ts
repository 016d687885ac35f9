/** Knows a browser again that began to sign in, so that nobody else can end what it began. */
import { createHmac } from 'node:crypto';
import type { SignInPurpose } from '#core/schema/account.ts';
import { hostCookie } from '../cookies.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { seal, unseal } from '#server/process/secrets.ts';

/** A sign-in may take so long, in seconds (15 minutes). */
export const BINDING_SECONDS = 15 * 60;

const HIDDEN = 'interaction';

/** A browser that is known again by its cookie; the store only ever sees the hash of its secret. */
interface BoundBrowser {
  browser_hash: string;
  /** The six digits that this browser shows for a mail: nobody can make them out from what is stored. */
  codeFor(tokenHash: string): string;
  /** What it signs in for, as it is kept: only this browser can tell which question that is. */
  hide(purpose: SignInPurpose): SignInPurpose;
  /** The question that was hidden; empty if another browser hid it. */
  reveal(interaction: string): string;
}

/** The browser that a `Cookie` header belongs to, if it began to sign in. */
export function boundBrowser(cookieHeader: string | null, baseUrl: string): BoundBrowser | null {
  const secret = readSecret(cookieHeader, baseUrl);
  return secret === null ? null : browserOf(secret);
}

/** Binds a browser, or binds it longer, and tells the `Set-Cookie` value for that. */
export function bindBrowser(cookieHeader: string | null, baseUrl: string) {
  const secret = readSecret(cookieHeader, baseUrl) ?? randomSecret();
  return {
    browser: browserOf(secret),
    setCookie: browserCookie(baseUrl).set(secret, BINDING_SECONDS),
  };
}

export function unbindBrowser(baseUrl: string): string {
  return browserCookie(baseUrl).set('', 0);
}

function readSecret(cookieHeader: string | null, baseUrl: string): string | null {
  const value = browserCookie(baseUrl).read(cookieHeader) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}

function browserOf(secret: string): BoundBrowser {
  const key = () => createHmac('sha256', secret).update(HIDDEN).digest();
  return {
    browser_hash: sha256Hex(secret),
    codeFor(tokenHash) {
      const digest = createHmac('sha256', secret).update(tokenHash).digest();
      return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
    },
    hide(purpose) {
      if (purpose.interaction === null) return purpose;
      const sealed = Buffer.from(seal(key(), purpose.interaction, HIDDEN));
      return { ...purpose, interaction: sealed.toString('base64url') };
    },
    reveal: (interaction) => unseal(key(), Buffer.from(interaction, 'base64url'), HIDDEN) ?? '',
  };
}

export const browserCookie = (baseUrl: string) => hostCookie(baseUrl, 'sign_in');

/** What is kept of a code: with the token, which is not kept, so that nobody can try all codes on it. */
export function codeHash(token: string, code: string): string {
  return sha256Hex(`${token}\n${code}`);
}
