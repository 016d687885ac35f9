/** Knows a browser again that began to sign in, so that nobody else can end what it began. */
import { createHmac } from 'node:crypto';
import { readCookie } from './cookies.ts';
import { randomSecret, sha256Hex } from './crypto.ts';

/** A sign-in may take so long, in seconds (15 minutes). */
const BINDING_SECONDS = 15 * 60;

/** A browser that is known again by its cookie; the store only ever sees the hash of its secret. */
export interface BoundBrowser {
  browser_hash: string;
  /** The six digits that this browser shows for a mail: nobody can make them out from what is stored. */
  codeFor(tokenHash: string): string;
}

/** The browser that a `Cookie` header belongs to, if it began to sign in. */
export function boundBrowser(cookieHeader: string | null, baseUrl: string): BoundBrowser | null {
  const secret = readSecret(cookieHeader, baseUrl);
  return secret === null ? null : browserOf(secret);
}

/** Binds a browser, or binds it longer, and tells the `Set-Cookie` value for that. */
export function bindBrowser(
  cookieHeader: string | null,
  baseUrl: string,
): { browser: BoundBrowser; setCookie: string } {
  const secret = readSecret(cookieHeader, baseUrl) ?? randomSecret();
  return { browser: browserOf(secret), setCookie: cookie(baseUrl, secret, BINDING_SECONDS) };
}

/** The `Set-Cookie` value that forgets the browser. */
export function unbindBrowser(baseUrl: string): string {
  return cookie(baseUrl, '', 0);
}

function readSecret(cookieHeader: string | null, baseUrl: string): string | null {
  const value = readCookie(cookieHeader, cookieName(baseUrl)) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
}

function browserOf(secret: string): BoundBrowser {
  return {
    browser_hash: sha256Hex(secret),
    codeFor(tokenHash) {
      const digest = createHmac('sha256', secret).update(tokenHash).digest();
      return String(digest.readUIntBE(0, 6) % 1_000_000).padStart(6, '0');
    },
  };
}

function cookieName(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-sign_in' : 'sign_in';
}

function cookie(baseUrl: string, value: string, seconds: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${cookieName(baseUrl)}=${value}; HttpOnly; Max-Age=${seconds}; Path=/; SameSite=Lax${secure}`;
}
