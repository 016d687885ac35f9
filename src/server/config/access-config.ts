/** Settings for readers and new operators. Read by `config.ts` only. */
import * as z from 'zod';
import { JOIN_MODES, type JoinMode, type JoinRules } from '#core/domain/account/joining.ts';

const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]{2,}$/;
const ORGANIZATION = /^[a-z0-9](?:[a-z0-9-]{0,38})$/i;

/** The values of the setting for readers. */
const READERS = ['public', 'members'] as const;

/** The rules for reading and joining the board. Admins can choose `read` and `join` in the browser, unless given. */
export interface Access {
  readonly read: (typeof READERS)[number];
  readonly join: JoinMode;
  /** Whether everyone can read badges, also on a board for members. */
  publicBadges: boolean;
  /** The people that can join if `join` is `domain`. */
  rules: JoinRules;
}

export const ACCESS_SETTINGS = {
  READ: z.enum(READERS, 'must be public or members').optional(),
  PUBLIC_BADGES: z.enum(['yes', 'no'], 'must be yes or no').default('no'),
  JOIN: z.enum(JOIN_MODES, 'must be open, invite or domain').optional(),
  JOIN_MAIL_DOMAINS: list(
    (text) => DOMAIN.test(text),
    'must be a domain, such as example.org',
    true,
  ),
  JOIN_GITHUB_ORGANIZATIONS: list(
    (text) => ORGANIZATION.test(text),
    'must be the name of an organization at GitHub, such as acme',
  ),
  JOIN_CLAIMS: list(
    (text) => /^[^=\s]+=.+$/.test(text),
    'must be name=value, such as groups=opbench',
  ),
};

type Settings = z.output<z.ZodObject<typeof ACCESS_SETTINGS>>;

export function accessConfig(settings: Settings): Access {
  return {
    read: settings.READ ?? 'public',
    join: settings.JOIN ?? 'open',
    publicBadges: settings.PUBLIC_BADGES === 'yes',
    rules: joinRules(settings),
  };
}

function joinRules(settings: Settings): JoinRules {
  return {
    mailDomains: settings.JOIN_MAIL_DOMAINS,
    githubOrganizations: settings.JOIN_GITHUB_ORGANIZATIONS,
    claims: settings.JOIN_CLAIMS.map((text) => {
      const [name = '', value = ''] = text.split(/=(.*)/);
      return { name, value };
    }),
  };
}

/** Rules for people of certain organizations must name one, and need the sign-in method that proves it. */
export function unfitAccess(
  settings: Settings & { AUTH_URL?: unknown; GITHUB_CLIENT_ID?: unknown; SMTP_URL?: unknown },
): string[] {
  const { mailDomains, githubOrganizations, claims } = joinRules(settings);
  const rules = mailDomains.length + githubOrganizations.length + claims.length;
  const isElsewhere = settings.AUTH_URL !== undefined;
  return [
    ...(settings.JOIN === 'domain' && rules === 0 ? [NO_RULES] : []),
    ...(githubOrganizations.length > 0 && (isElsewhere || settings.GITHUB_CLIENT_ID === undefined)
      ? ['JOIN_GITHUB_ORGANIZATIONS: needs sign-in with GitHub. Set GITHUB_CLIENT_ID']
      : []),
    ...(claims.length > 0 && !isElsewhere
      ? ['JOIN_CLAIMS: needs an OpenID provider. Set AUTH_URL']
      : []),
  ];
}

/** Settings that have no effect because the environment sets who can join. */
export function idleJoinRules(settings: Settings): string[] {
  const { JOIN } = settings;
  if (JOIN === undefined || JOIN === 'domain') return [];
  const names = ['JOIN_MAIL_DOMAINS', 'JOIN_GITHUB_ORGANIZATIONS', 'JOIN_CLAIMS'] as const;
  const given = names.filter((name) => settings[name].length > 0);
  return given.map((name) => `${name} (JOIN is ${JOIN})`);
}

const NO_RULES =
  'JOIN: is domain, so set JOIN_MAIL_DOMAINS, JOIN_GITHUB_ORGANIZATIONS or JOIN_CLAIMS, which say who can join';

/** A list with commas between its entries. */
function list(isValid: (text: string) => boolean, message: string, isLower = false) {
  return z
    .string()
    .default('')
    .transform((text, check) => {
      const parts = text.split(',').map((part) => part.trim());
      const entries = parts.filter(Boolean).map((part) => (isLower ? part.toLowerCase() : part));
      for (const entry of entries) {
        if (!isValid(entry)) check.addIssue(`"${entry}" ${message}`);
      }
      return entries;
    });
}
