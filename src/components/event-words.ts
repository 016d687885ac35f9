/** What happened to an account, in words; what follows says with what. */
export const EVENT_WORDS = {
  codename_changed: 'Codename changed',
  login_link_created: 'One-time sign-in link made',
  method_linked: 'Sign-in method linked',
  method_unlinked: 'Sign-in method unlinked',
  signed_in: 'Signed in',
} as const;
