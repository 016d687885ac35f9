import { type SignInMethod, UpstreamName } from '#core/schema/account.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
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

/** All sign-in methods, whether they work, and the settings that each one needs. */
export function signInSetup(ctx: Pick<AppContext, 'config'>) {
  const { authority, github, twitter, mail } = ctx.config.signIn;
  const hasPasskeys = readPasskeyOffer(ctx)?.domain != null;
  const isOwn = authority === null;
  return [
    // Browsers allow passkeys only at a host name with HTTPS.
    { name: METHOD_NAMES.passkey, isOn: hasPasskeys, settings: ['BASE_URL'] },
    {
      name: METHOD_NAMES.github,
      isOn: isOwn && github !== null,
      settings: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    },
    {
      name: METHOD_NAMES.twitter,
      isOn: isOwn && twitter !== null,
      settings: ['TWITTER_CLIENT_ID', 'TWITTER_CLIENT_SECRET'],
    },
    {
      name: METHOD_NAMES.email_magic_link,
      isOn: isOwn && mail !== null,
      settings: ['SMTP_URL', 'MAIL_FROM'],
    },
    {
      name: METHOD_NAMES.oidc,
      isOn: authority !== null,
      settings: ['AUTH_URL', 'AUTH_CLIENT_ID'],
    },
    { name: METHOD_NAMES.login_link, isOn: true, settings: [] },
  ];
}
