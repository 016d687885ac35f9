import type { SessionMethod } from '#core/schema/account.ts';

/** Display names of the sign-in methods. */
export const METHOD_NAMES: Readonly<Record<SessionMethod, string>> = {
  email_magic_link: 'Email',
  github: 'GitHub',
  login_link: 'One-time link',
  oidc: 'Single sign-on',
  passkey: 'Passkey',
  twitter: 'X',
};

export type CookiePurpose =
  'away' | 'browser' | 'invitation' | 'mailbox' | 'provider' | 'question' | 'session';

/** A cookie that a board may set. */
export interface ToldCookie {
  /** The cookie's name on this board. A signed cookie has a second name, for its signature. */
  names: readonly string[];
  purpose: CookiePurpose;
  /** The longest time that a browser keeps it, in seconds. */
  seconds: number;
}

/** A masked email address that its owner recognizes: `a•••@example.org`. */
export function maskedAddress(local: string, domain: string): string {
  return `${local.slice(0, 1)}•••@${domain}`;
}
