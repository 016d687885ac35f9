import type { AccountEvent } from '#core/schema/account.ts';

/** What happened to an account, in words; what follows says with what. */
export const EVENT_WORDS: Readonly<Record<AccountEvent['kind'], string>> = {
  account_hidden: 'Hidden by the keeper',
  account_shown: 'Shown again by the keeper',
  application_let_in: 'Application let in',
  application_shut_out: 'Application shut out',
  codename_changed: 'Codename changed',
  device_enrolled: 'Device enrolled',
  device_replaced: 'Device replaced',
  device_revoked: 'Device revoked',
  login_link_created: 'One-time sign-in link made',
  method_linked: 'Sign-in method linked',
  method_unlinked: 'Sign-in method unlinked',
  signed_in: 'Signed in',
  submission_held: 'Submission held',
  submission_rejected: 'Submission rejected',
  submission_released: 'Submission released',
  submission_restored: 'Submission restored',
  submission_withdrawn: 'Submission withdrawn',
};
