/** The cookie that a browser carries while it is away to sign in. */
import { hostCookie } from '../cookies.ts';
import type { Transaction } from '../provider/relying-party.ts';

/** How long signing in may take, in seconds: a little longer than the provider waits. */
export const TRANSACTION_SECONDS = 40 * 60;

export const transactionCookie = (baseUrl: string) => hostCookie(baseUrl, 'oauth_tx');

export function setTransaction(transaction: Transaction, baseUrl: string): string {
  const value = Buffer.from(JSON.stringify(transaction)).toString('base64url');
  return transactionCookie(baseUrl).set(value, TRANSACTION_SECONDS);
}

/** A sign-in that came back is over: its cookie serves no other. */
export function clearTransaction(baseUrl: string): string {
  return transactionCookie(baseUrl).set('', 0);
}

export function readTransaction(header: string | null, baseUrl: string): Transaction | null {
  const value = transactionCookie(baseUrl).read(header);
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
