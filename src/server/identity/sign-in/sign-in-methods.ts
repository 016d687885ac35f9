import { type SignInMethod, UpstreamName } from '#core/schema/account.ts';
import { readPasskeyOffer } from './passkeys.ts';
import type { AppContext } from '#server/context.ts';
import type { PeerRequest } from '#server/process/loopback-request.ts';
import { mailerFor } from '#server/mail/mailer.ts';

/** The methods that a visitor can sign in with or link, passkeys first; none if the board uses an external provider. */
export function readSignInMethods(ctx: AppContext, visit: PeerRequest): SignInMethod[] {
  const { signIn } = ctx.config;
  if (signIn.authority) return [];
  return [
    ...(readPasskeyOffer(ctx)?.domain ? (['passkey'] as const) : []),
    ...UpstreamName.options.filter((site) => signIn[site] !== null),
    ...(mailerFor(ctx, visit) ? (['email_magic_link'] as const) : []),
  ];
}
