import type { ToldCookie } from '#core/domain/account/sign-in-method.ts';
import { type SignInMethod, UpstreamName } from '#core/schema/account.ts';
import type { RequestLogging } from '../config/config.ts';
import type { AppContext } from '../context.ts';
import { BINDING_SECONDS, browserCookie } from '../identity/sign-in/browser.ts';
import { KNOWN_SECONDS, mailboxCookie } from '../identity/sign-in/mailbox-cookie.ts';
import { TTL, cookieNames } from '../identity/provider/provider-settings.ts';
import { IDLE_DAYS, sessionCookieName } from '../identity/sessions.ts';
import { TRANSACTION_SECONDS, transactionCookie } from '../identity/sign-in/provider-sign-in.ts';

/** What a board does with what is private, as far as that is a matter of its settings. */
interface PrivacyFacts {
  cookies: readonly ToldCookie[];
  /** The ways of signing in that the admin set up; none where a provider elsewhere asks. */
  methods: readonly SignInMethod[];
  /** Where people sign in instead; null where the board asks itself. */
  provider: string | null;
  /** The host of the companion site elsewhere; null where there is none. */
  satellite: string | null;
  /** The admin's address; null where none is set. */
  contact: string | null;
  /** Which requests the log of the server has a line for. */
  requests: RequestLogging;
}

const DAY_S = 24 * 60 * 60;

/** What the settings of this board mean for what is private. */
export function readPrivacyFacts({ config }: AppContext): PrivacyFacts {
  const { agents, signIn, baseUrl } = config;
  const { authority, mail, contactEmail: contact } = signIn;
  const sites = UpstreamName.options.filter((site) => signIn[site] !== null);
  return {
    cookies: authority
      ? ownCookies(baseUrl)
      : [...ownCookies(baseUrl), ...providerCookies(baseUrl)],
    methods: authority ? [] : [...sites, ...(mail ? (['email_magic_link'] as const) : [])],
    provider: authority && new URL(authority.url).host,
    satellite: agents.satellite && new URL(agents.satellite.url).host,
    contact,
    requests: config.requestLogging,
  };
}

function ownCookies(baseUrl: string): ToldCookie[] {
  const session = sessionCookieName(baseUrl.startsWith('https:'));
  return [
    { names: [session], purpose: 'session', seconds: IDLE_DAYS * DAY_S },
    { names: [transactionCookie(baseUrl).name], purpose: 'away', seconds: TRANSACTION_SECONDS },
  ];
}

/** Those of the board's own provider, which signs them, and of who goes to a mailbox or another site. */
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
