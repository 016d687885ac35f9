/** Settings for sign-in, email and cohorts. Read by `config.ts` only. */
import * as z from 'zod';
import { isLoopbackUrl } from '#core/domain/account/oauth.ts';
import { CohortId } from '#core/schema/operator.ts';
import type { Cohort } from '#core/schema/profile.ts';

const ORIGIN_WORDS =
  'must be an address without a path or a slash at the end, such as https://bench.example.org';

/** An origin: no path and no slash at the end. */
export const Origin = z
  .url({ protocol: /^https?$/, abort: true, error: ORIGIN_WORDS })
  .refine((text) => new URL(text).origin === text, ORIGIN_WORDS);

/** An issuer exactly as the provider names itself. It can have a path and end with a slash. */
const Issuer = z
  .url({
    protocol: /^https?$/,
    abort: true,
    error: 'must be the address of an OpenID provider, such as https://id.example.org',
  })
  .refine((text) => {
    const { username, password } = new URL(text);
    return !/[?#]/.test(text) && username === '' && password === '';
  }, "must be the provider's issuer, character for character, without a query, fragment or password")
  .refine(
    (text) => new URL(text).protocol === 'https:' || isLoopbackUrl(text),
    'must begin with https:// unless the provider is on this machine',
  );

/** The sender of mail: an address, or `Name <address>`. */
const MailSender = z
  .string()
  .regex(
    /^(?:[^\s@<>,]+@[^\s@<>,]+|[^<>\r\n]*<[^\s@<>,]+@[^\s@<>,]+>)$/,
    'must be an email address, such as Opbench <board@example.org>',
  );

const MAIL_SERVER =
  'must be the address of a mail server, such as smtps://user:password@mail.example.org';

/** Passkeys for everyone including new operators, for existing operators only, or for nobody. */
const PASSKEY_POLICIES = ['open', 'members', 'off'] as const;
export type PasskeyPolicy = (typeof PASSKEY_POLICIES)[number];

const Text = z.string().min(1).optional();

export const SIGN_IN_SETTINGS = {
  AUTH_URL: Issuer.optional(),
  AUTH_CLIENT_ID: Text,
  AUTH_CLIENT_SECRET: Text,
  AUTH_AUDIENCE: Text,
  AUTH_ACCESS_TOKEN_TYP: z.string().min(1).default('at+jwt'),
  GITHUB_CLIENT_ID: Text,
  GITHUB_CLIENT_SECRET: Text,
  GITHUB_URL: Origin.default('https://github.com'),
  GITHUB_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.github.com'),
  TWITTER_CLIENT_ID: Text,
  TWITTER_CLIENT_SECRET: Text,
  TWITTER_URL: Origin.default('https://x.com'),
  TWITTER_API_URL: Origin.default('https://api.x.com'),
  PASSKEYS: z.enum(PASSKEY_POLICIES, 'must be open, members or off').default('open'),
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: MAIL_SERVER }).optional(),
  MAIL_FROM: MailSender.optional(),
  CONTACT_EMAIL: z.email('must be an email address, such as admin@example.org').optional(),
  COHORTS: z.string().default('').transform(cohortsIn),
};

type Settings = z.output<z.ZodObject<typeof SIGN_IN_SETTINGS>>;

interface UpstreamConfig {
  clientId: string;
  clientSecret: string;
  url: string;
  apiUrl: string;
}

interface AuthorityConfig {
  url: string;
  clientId: string;
  clientSecret: string | null;
  /** The audience of access tokens for this board; null for its base URL. */
  audience: string | null;
  accessTokenTyp: string;
}

export interface SignInConfig {
  authority: AuthorityConfig | null;
  github: UpstreamConfig | null;
  twitter: UpstreamConfig | null;
  mail: { smtpUrl: string; from: string } | null;
  passkeys: PasskeyPolicy;
  contactEmail: string | null;
  cohorts: readonly Cohort[];
}

export function incompleteSettings(settings: Settings): string[] {
  const given = (name: keyof typeof settings) => settings[name] !== undefined;
  const needs: [keyof typeof settings, keyof typeof settings][] = [
    ['AUTH_URL', 'AUTH_CLIENT_ID'],
    ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
    ['GITHUB_CLIENT_SECRET', 'GITHUB_CLIENT_ID'],
    ['TWITTER_CLIENT_ID', 'TWITTER_CLIENT_SECRET'],
    ['TWITTER_CLIENT_SECRET', 'TWITTER_CLIENT_ID'],
    ['SMTP_URL', 'MAIL_FROM'],
  ];
  return needs
    .filter(([name, other]) => given(name) && !given(other))
    .map(([name, other]) => `${other}: must be set because ${name} is set`);
}

/** Settings that have no effect together with the others, each with the reason. */
export function idleSettings(
  settings: Settings & { SATELLITE_URL?: unknown; SATELLITE_CLIENT_ID?: unknown },
): string[] {
  const given = (name: keyof typeof settings) => settings[name] !== undefined;
  const idle: [keyof typeof settings, boolean, string][] = [
    ['AUTH_CLIENT_ID', !given('AUTH_URL'), 'AUTH_URL is not set'],
    ['AUTH_CLIENT_SECRET', !given('AUTH_URL'), 'AUTH_URL is not set'],
    ['AUTH_AUDIENCE', !given('AUTH_URL'), 'AUTH_URL is not set'],
    ['GITHUB_CLIENT_ID', given('AUTH_URL'), 'AUTH_URL is set, so its provider does the sign-in'],
    ['TWITTER_CLIENT_ID', given('AUTH_URL'), 'AUTH_URL is set, so its provider does the sign-in'],
    ['MAIL_FROM', !given('SMTP_URL'), 'SMTP_URL is not set'],
    ['SATELLITE_CLIENT_ID', !given('SATELLITE_URL'), 'SATELLITE_URL is not set'],
  ];
  return idle
    .filter(([name, isIdle]) => given(name) && isIdle)
    .map(([name, , reason]) => `${name} (${reason})`);
}

export function signInConfig(settings: Settings): SignInConfig {
  const { AUTH_URL: url, AUTH_CLIENT_ID: clientId, SMTP_URL: smtpUrl } = settings;
  return {
    authority:
      url !== undefined && clientId !== undefined
        ? {
            url,
            clientId,
            clientSecret: settings.AUTH_CLIENT_SECRET ?? null,
            audience: settings.AUTH_AUDIENCE ?? null,
            accessTokenTyp: settings.AUTH_ACCESS_TOKEN_TYP,
          }
        : null,
    github: upstream(settings, 'GITHUB'),
    twitter: upstream(settings, 'TWITTER'),
    mail: smtpUrl === undefined ? null : { smtpUrl, from: settings.MAIL_FROM ?? '' },
    passkeys: settings.PASSKEYS,
    contactEmail: settings.CONTACT_EMAIL ?? null,
    cohorts: settings.COHORTS,
  };
}

function upstream(settings: Settings, site: 'GITHUB' | 'TWITTER'): UpstreamConfig | null {
  const clientId = settings[`${site}_CLIENT_ID`];
  const clientSecret = settings[`${site}_CLIENT_SECRET`];
  if (clientId === undefined || clientSecret === undefined) return null;
  const apiUrl = settings[`${site}_API_URL`].replace(/\/$/, '');
  return { clientId, clientSecret, url: settings[`${site}_URL`], apiUrl };
}

function cohortsIn(list: string, check: z.RefinementCtx): Cohort[] {
  const parts = list.split(',').map((part) => part.trim());
  const cohorts = parts.filter(Boolean).flatMap((part) => {
    const [id = '', name = ''] = part.split(/=(.*)/).map((text) => text.trim());
    if (CohortId.safeParse(id).success && name !== '') return [{ id, name }];
    check.addIssue(
      `"${part}" must be id=Name, such as students=Students. An id has a-z, 0-9 and hyphens`,
    );
    return [];
  });
  const ids = cohorts.map(({ id }) => id);
  const repeated = ids.filter((id, at) => ids.indexOf(id) < at);
  new Set(repeated).forEach((id) => check.addIssue(`the id "${id}" is used more than once`));
  return cohorts;
}
