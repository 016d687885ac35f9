/** What each cookie is for. */
import type { CookiePurpose, ToldCookie } from '#core/domain/account/sign-in-method.ts';
import { count } from '../text/format.ts';

const PURPOSES: Readonly<Record<CookiePurpose, string>> = {
  session: 'Knows that you are signed in. Set when you sign in, renewed while you come back.',
  away: 'Holds your place while you are away to sign in.',
  browser: 'Knows the browser again that asked for a sign-in by mail or by another site.',
  mailbox:
    'Lets this browser ask for another sign-in mail when strangers have used up the limit of your mailbox. Set when you sign in by email. It does not sign you in, contains neither your address nor your account, and has no effect once the mailbox is unlinked or the account is deleted.',
  question: 'Ties what you are asked in the middle of a sign-in to this browser.',
  provider:
    'Knows the browser at the sign-in itself, so that an application need not ask who you are.',
};

const DAY = 24 * 60 * 60;
const MINUTE = 60;

/** Cookies as a list says them. */
export function cookieTerms(cookies: readonly ToldCookie[]) {
  return cookies.map(({ names, purpose, seconds }) => ({
    term: names.join(', '),
    texts: [PURPOSES[purpose]],
    remark: `Kept ${spanText(seconds)} at most.`,
  }));
}

function spanText(seconds: number): string {
  return seconds >= DAY ? count(seconds / DAY, 'day') : count(seconds / MINUTE, 'minute');
}
