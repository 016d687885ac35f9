import type { ToldCookie } from '#core/domain/account/sign-in-method.ts';
import { type SignInMethod, UpstreamName } from '#core/schema/account.ts';
import type { Access } from '../config/access-config.ts';
import type { RequestLogging } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import { ACCEPTED_SECONDS, invitationCookie } from '../identity/joining/newcomers.ts';
import { BINDING_SECONDS, browserCookie } from '../identity/sign-in/browser.ts';
import { KNOWN_SECONDS, mailboxCookie } from '../identity/sign-in/mailbox-cookie.ts';
import { readPasskeyOffer } from '../identity/sign-in/passkeys.ts';
import { TTL, cookieNames } from '../identity/provider/provider-settings.ts';
import { IDLE_DAYS, sessionCookieName } from '../identity/sessions.ts';
import { TRANSACTION_SECONDS, transactionCookie } from '../identity/sign-in/provider-sign-in.ts';

/** The facts of the privacy page that depend on the board's settings. */
interface PrivacyFacts {
  cookies: readonly ToldCookie[];
  /** Passkeys if they work here, and the sign-in methods that the admin configured; none with an external provider. */
  methods: readonly SignInMethod[];
  /** The host of the external sign-in provider; null if the board uses its own. */
  provider: string | null;
  /** The host of a companion site on another host; null if there is none. */
  satellite: string | null;
  /** The admin's email address; null if it is not set. */
  contact: string | null;
  /** The people that can read the board. */
  readers: Access['read'];
  /** Which requests the server logs. */
  requests: RequestLogging;
}

const DAY_S = 24 * 60 * 60;

/** Reads the privacy facts from this board's settings. */
export function readPrivacyFacts({ config }: AppContext): PrivacyFacts {
  const { agents, signIn, baseUrl } = config;
  const passkeys = readPasskeyOffer({ config })?.domain;
  const { authority, mail, contactEmail: contact } = signIn;
  const sites = UpstreamName.options.filter((site) => signIn[site] !== null);
  return {
    cookies: authority
      ? ownCookies(baseUrl)
      : [...ownCookies(baseUrl), ...providerCookies(baseUrl)],
    methods: authority
      ? []
      : [
          ...(passkeys ? (['passkey'] as const) : []),
          ...sites,
          ...(mail ? (['email_magic_link'] as const) : []),
        ],
    provider: authority && new URL(authority.url).host,
    satellite: agents.satellite && new URL(agents.satellite.url).host,
    contact,
    readers: config.access.read,
    requests: config.requestLogging,
  };
}

function ownCookies(baseUrl: string): ToldCookie[] {
  const session = sessionCookieName(baseUrl.startsWith('https:'));
  return [
    { names: [session], purpose: 'session', seconds: IDLE_DAYS * DAY_S },
    { names: [transactionCookie(baseUrl).name], purpose: 'away', seconds: TRANSACTION_SECONDS },
    { names: [invitationCookie(baseUrl).name], purpose: 'invitation', seconds: ACCEPTED_SECONDS },
  ];
}

/** The cookies of the board's own provider, which are signed, and of sign-ins by email, with a passkey or at another site. */
function providerCookies(baseUrl: string): ToldCookie[] {
  const { session, interaction, resume } = cookieNames(baseUrl);
  return [
    { names: [browserCookie(baseUrl).name], purpose: 'browser', seconds: BINDING_SECONDS },
    { names: [mailboxCookie(baseUrl).name], purpose: 'mailbox', seconds: KNOWN_SECONDS },
    { names: signed(interaction), purpose: 'question', seconds: TTL.interaction },
    { names: signed(resume), purpose: 'question', seconds: TTL.interaction },
    { names: signed(session), purpose: 'provider', seconds: TTL.session },
  ];
}

function signed(name: string): string[] {
  return [name, `${name}.sig`];
}
