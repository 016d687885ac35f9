/** A board that emails sign-in links, requested by the browser of one interaction. */
import { sendSignInMail } from '#server/identity/sign-in/send-sign-in-mail.ts';
import { testContext } from '../board/context.ts';
import { aBrowser, aPostOffice, anAskingProvider } from './sign-in.ts';

const PURPOSE = { interaction: 'one', operator_id: null };

export function aMailBoard() {
  const ctx = testContext();
  const provider = anAskingProvider(ctx);
  const post = aPostOffice();
  const { mailer } = post;
  const { cookieHeader } = aBrowser('one');
  const send = (address: string, over: object = {}) => {
    const client = String(Math.random());
    return sendSignInMail(ctx, {
      address,
      purpose: PURPOSE,
      cookieHeader,
      client,
      mailer,
      ...over,
    });
  };
  return { ctx, provider, post, send };
}
