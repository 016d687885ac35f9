/** Recognizes the browser that began a sign-in, so that no other browser can complete it. */
import { createHmac } from 'node:crypto';
import type { SignInPurpose } from '#core/schema/account.ts';
import { hostCookie } from '../cookies.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { seal, unseal } from '#server/process/secrets.ts';

/** How long a sign-in may take, in seconds (15 minutes). */
export const BINDING_SECONDS = 15 * 60;

const HIDDEN = 'interaction';

/** A browser that is recognized by its cookie. The store sees only the hash of its secret. */
interface BoundBrowser {
  browser_hash: string;
  /** The six-digit code that this browser shows for an email. It cannot be derived from stored data. */
  codeFor(tokenHash: string): string;
  /** The purpose in the form in which it is stored: only this browser can decrypt its interaction ID. */
  hide(purpose: SignInPurpose): SignInPurpose;
  /** The interaction ID that was hidden; empty if another browser hid it. */
  reveal(interaction: string): string;
}

/** The browser that a `Cookie` header belongs to; null if it has not begun a sign-in. */
export function boundBrowser(cookieHeader: string | null, baseUrl: string): BoundBrowser | null {
  const secret = readSecret(cookieHeader, baseUrl);
  return secret === null ? null : browserOf(secret);
}

/** Binds a browser, or extends its binding, and returns the `Set-Cookie` value for that. */
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

/** The stored hash of a code. It includes the token, which is not stored, so that codes cannot be brute-forced. */
export function codeHash(token: string, code: string): string {
  return sha256Hex(`${token}\n${code}`);
}
