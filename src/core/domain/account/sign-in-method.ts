import type { SessionMethod } from '#core/schema/account.ts';

/** What people call the ways of signing in. */
export const METHOD_NAMES: Readonly<Record<SessionMethod, string>> = {
  email_magic_link: 'E-mail',
  github: 'GitHub',
  login_link: 'One-time link',
  oidc: 'Single sign-on',
  twitter: 'X',
};
