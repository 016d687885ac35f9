import type { SignInPurpose } from '#core/schema/account.ts';
import type { SigningIn } from '#server/identity/sign-in/sign-in.ts';
import { mailerFor } from '#server/mail/visitor-mail.ts';
import { type FormPage, refuse } from './forms.ts';
import type { Refusal } from '../response/refusal.ts';

/** What a request tells of the browser that signs in. */
export function signingIn({ headers }: Request): SigningIn {
  return { cookieHeader: headers.get('cookie'), userAgent: headers.get('user-agent') };
}

/** What a form asks to be mailed, and whom to count it by. */
export function mailRequest(
  { request, locals }: Pick<FormPage, 'locals' | 'request'>,
  address: string,
  purpose: SignInPurpose,
) {
  const { ctx, client, peer } = locals;
  const mailer = mailerFor(ctx, { request, peer });
  return { address, purpose, client, mailer, cookieHeader: request.headers.get('cookie') };
}

/** Does what a page is visited for, a step on the way; a refusal is for the page to show. */
export async function answerVisit<Outcome>(
  page: Pick<FormPage, 'locals' | 'response'>,
  act: () => Promise<Outcome>,
): Promise<{ outcome: Outcome | null; refusal: Refusal | null }> {
  try {
    return { outcome: await act(), refusal: null };
  } catch (error) {
    return { outcome: null, refusal: refuse(page, error) };
  }
}
