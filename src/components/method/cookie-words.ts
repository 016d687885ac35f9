/** What each cookie is for. */
import type { CookiePurpose, ToldCookie } from '#core/domain/account/sign-in-method.ts';
import { count } from '../text/format.ts';

const PURPOSES: Readonly<Record<CookiePurpose, string>> = {
  session: 'Keeps you signed in. Set when you sign in, renewed when you return.',
  away: 'Remembers where you were while you sign in.',
  invitation: 'Remembers an invitation that you accepted, until you have signed in.',
  browser:
    'Recognizes the browser that started a sign-in by email, with a passkey or through another site.',
  mailbox:
    'Lets this browser request another sign-in email when strangers have used up the limit of your mailbox. Set when you sign in by email. It does not sign you in and contains neither your address nor your account. It has no effect once the mailbox is unlinked or the account is deleted.',
  question: 'Ties the steps of a sign-in to this browser.',
  provider:
    'Recognizes the browser during sign-in, so that a connected app does not have to ask you again.',
};

const DAY = 24 * 60 * 60;
const MINUTE = 60;

/** Cookies as terms of a list. */
export function cookieTerms(cookies: readonly ToldCookie[]) {
  return cookies.map(({ names, purpose, seconds }) => ({
    term: names.join(', '),
    texts: [PURPOSES[purpose]],
    remark: `Kept for at most ${spanText(seconds)}.`,
  }));
}

function spanText(seconds: number): string {
  return seconds >= DAY ? count(seconds / DAY, 'day') : count(seconds / MINUTE, 'minute');
}
