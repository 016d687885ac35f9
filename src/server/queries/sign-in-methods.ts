import type { SignInMethod } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import type { Visit } from '../local-visit.ts';
import { mailerFor } from '../visitor-mail.ts';

/** The methods that a visitor can sign in with, or link; none where a provider elsewhere asks. */
export function readSignInMethods(ctx: AppContext, visit: Visit): SignInMethod[] {
  const { authority, github, twitter } = ctx.config.signIn;
  if (authority) return [];
  return [
    ...(github ? (['github'] as const) : []),
    ...(twitter ? (['twitter'] as const) : []),
    ...(mailerFor(ctx, visit) ? (['email_magic_link'] as const) : []),
  ];
}
