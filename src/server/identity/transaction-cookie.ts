/** The cookie that a browser carries while it is away to sign in. */
import { readCookie } from './cookies.ts';
import type { Transaction } from './relying-party.ts';

/** How long signing in may take, in seconds: a little longer than the provider waits. */
const TTL_S = 40 * 60;

/** Lax, because a provider elsewhere sends the browser back from another site. */
const ATTRIBUTES = 'HttpOnly; Path=/; SameSite=Lax';

export function setTransaction(transaction: Transaction, baseUrl: string): string {
  const value = Buffer.from(JSON.stringify(transaction)).toString('base64url');
  return cookie(baseUrl, value, TTL_S);
}

/** A sign-in that came back is over: its cookie serves no other. */
export function clearTransaction(baseUrl: string): string {
  return cookie(baseUrl, '', 0);
}

export function readTransaction(header: string | null, baseUrl: string): Transaction | null {
  const value = readCookie(header, nameOf(baseUrl));
  if (!value) return null;
  try {
    const text = Buffer.from(value, 'base64url').toString();
    const { state, nonce, verifier, returnTo } = JSON.parse(text) as Record<string, unknown>;
    const parts = [state, nonce, verifier, returnTo];
    if (!parts.every((part) => typeof part === 'string' && part !== '')) return null;
    return { state, nonce, verifier, returnTo } as Transaction;
  } catch {
    return null;
  }
}

function cookie(baseUrl: string, value: string, maxAgeS: number): string {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(baseUrl)}=${value}; Max-Age=${maxAgeS}; ${ATTRIBUTES}${secure}`;
}

function nameOf(baseUrl: string): string {
  return baseUrl.startsWith('https:') ? '__Host-oauth_tx' : 'oauth_tx';
}
