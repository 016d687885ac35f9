/** Recognizes a browser that signed in with a mailbox, so that strangers cannot use up its email limit. */
import { timingSafeEqual } from 'node:crypto';
import { hostCookie } from '../cookies.ts';
import { randomSecret } from '#server/process/crypto.ts';
import { keyedHash } from '#server/process/secrets.ts';

export const KNOWN_SECONDS = 180 * 24 * 60 * 60;

const MAX_KNOWN = 3;

/** The proof for one mailbox: a random salt, and a keyed hash of the salt, mailbox and link to the account. */
const PROOF = /^([\w-]{43})\.([0-9a-f]{64})$/;

interface LinkedMailbox {
  /** The keyed hash of the mailbox. */
  subject: string;
  /** The ID of the link to the account. It changes when the mailbox is unlinked or the account deleted. */
  id: string;
}

export const mailboxCookie = (baseUrl: string) => hostCookie(baseUrl, 'mailbox');

/**
 * The `Set-Cookie` value by which a browser is recognized for a mailbox. It does not reveal the mailbox or
 * account, does not sign anybody in, and differs in each browser.
 */
export function rememberMailbox(
  secret: Uint8Array,
  mailbox: LinkedMailbox,
  { cookieHeader, baseUrl }: { cookieHeader: string | null; baseUrl: string },
): string {
  const cookie = mailboxCookie(baseUrl);
  const salt = randomSecret();
  const others = proofsIn(cookie.read(cookieHeader)).filter(
    (proof) => !isProofOf(secret, mailbox, proof),
  );
  const proofs = [`${salt}.${hashOf(secret, mailbox, salt)}`, ...others].slice(0, MAX_KNOWN);
  return cookie.set(proofs.join('~'), KNOWN_SECONDS);
}

/** Whether a browser has signed in with a mailbox that is still linked to the same account. */
export function isMailboxKnown(
  secret: Uint8Array,
  mailbox: LinkedMailbox,
  { cookieHeader, baseUrl }: { cookieHeader: string | null; baseUrl: string },
): boolean {
  const proofs = proofsIn(mailboxCookie(baseUrl).read(cookieHeader));
  return proofs.some((proof) => isProofOf(secret, mailbox, proof));
}

function proofsIn(value: string | null): string[] {
  return (value ?? '').split('~', MAX_KNOWN).filter((proof) => PROOF.test(proof));
}

function isProofOf(secret: Uint8Array, mailbox: LinkedMailbox, proof: string): boolean {
  const [, salt = '', hash = ''] = PROOF.exec(proof) ?? [];
  const due = Buffer.from(hashOf(secret, mailbox, salt));
  return hash.length === due.length && timingSafeEqual(Buffer.from(hash), due);
}

function hashOf(secret: Uint8Array, { subject, id }: LinkedMailbox, salt: string): string {
  return keyedHash(secret, `${salt}\n${subject}\n${id}`);
}
