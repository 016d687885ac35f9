/** What a cookie is for. */
export type CookiePurpose = 'away' | 'browser' | 'mailbox' | 'provider' | 'question' | 'session';

/** A cookie that a board may set. */
export interface ToldCookie {
  /** As this board names it; where it is signed, the signature has a name of its own. */
  names: readonly string[];
  purpose: CookiePurpose;
  /** How long a browser keeps it at most after it was set. */
  seconds: number;
}
