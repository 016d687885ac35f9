import type { Scope } from '#core/domain/account/oauth.ts';

/** What an application could do with each scope. */
export const SCOPE_WORDS: readonly { scope: Scope; words: string }[] = [
  {
    scope: 'openid',
    words:
      'act for you: submit counts, withdraw and restore submissions, change your profile and privacy, and read all that the board holds of you',
  },
  { scope: 'profile', words: 'see your codename and display name' },
  { scope: 'email', words: 'ask for your e-mail address, which the board does not keep' },
  { scope: 'offline_access', words: 'go on for up to 90 days without asking again' },
];
