import type { SessionMethod } from '#core/schema/account.ts';

/** What people call the ways of signing in. */
export const METHOD_NAMES: Readonly<Record<SessionMethod, string>> = {
  email_magic_link: 'Email',
  github: 'GitHub',
  login_link: 'One-time link',
  oidc: 'Single sign-on',
  twitter: 'X',
};

export type CookiePurpose = 'away' | 'browser' | 'mailbox' | 'provider' | 'question' | 'session';

/** A cookie that a board may set. */
export interface ToldCookie {
  /** As this board names it; where it is signed, the signature has a name of its own. */
  names: readonly string[];
  purpose: CookiePurpose;
  /** How long a browser keeps it at most after it was set. */
  seconds: number;
}

/** What an e-mail address is recognised by, by who has it: `a•••@example.org`. */
export function maskedAddress(local: string, domain: string): string {
  return `${local.slice(0, 1)}•••@${domain}`;
}
