/**
 * The settings of a board that its public pages depend on, as plain JSON without secrets. The writer publishes them, so
 * that readers on other machines need no settings of the board.
 */
import type { Access } from './access-config.ts';
import type { Config } from './config.ts';
import type { SignInConfig } from './sign-in-config.ts';
import type { SiteFile } from './site.ts';
import { sha256Hex } from '../process/crypto.ts';

type Copied =
  | 'agents'
  | 'eligibility'
  | 'givenSite'
  | 'limits'
  | 'refreshMs'
  | 'requestLogging'
  | 'site'
  | 'valuesDays';

export interface PublicConfig extends Pick<Config, Copied> {
  baseUrl: string;
  siteFiles: readonly PublicFile[];
  access: Omit<Access, 'rules'>;
  signIn: Pick<SignInConfig, 'cohorts' | 'contactEmail' | 'passkeys'> & {
    /** The address of the provider that operators sign in with; null for the board's own. */
    authority: string | null;
    /** Which other sign-in methods there are. */
    has: Readonly<Record<'github' | 'mail' | 'twitter', boolean>>;
  };
}

/** A file of the admin, whose bytes are published under their digest. */
export interface PublicFile {
  address: string;
  media_type: string;
  sha256: string;
}

export function publicConfigOf(config: Config & { baseUrl: string }): PublicConfig {
  const { agents, eligibility, givenSite, limits, refreshMs, requestLogging, valuesDays } = config;
  const { read, join, publicBadges } = config.access;
  const { authority, github, twitter, mail, passkeys, contactEmail, cohorts } = config.signIn;
  return {
    ...{ agents, eligibility, givenSite, limits, refreshMs, requestLogging, valuesDays },
    baseUrl: config.baseUrl,
    // A copy, because the name and the description follow the settings of the board.
    site: { ...config.site },
    siteFiles: config.siteFiles.map(({ address, mediaType, bytes }) => {
      return { address, media_type: mediaType, sha256: sha256Hex(bytes) };
    }),
    access: { read, join, publicBadges },
    signIn: {
      ...{ passkeys, contactEmail, cohorts },
      authority: authority && authority.url,
      has: { github: github !== null, twitter: twitter !== null, mail: mail !== null },
    },
  };
}

/** The settings with which a reader shows a board, on top of its own. What is secret stays empty. */
export function configFrom(
  own: Config,
  published: PublicConfig,
  siteFiles: readonly SiteFile[],
): Config & { baseUrl: string } {
  const { access, signIn, ...copied } = published;
  return {
    ...own,
    ...copied,
    siteFiles,
    access: { ...own.access, ...access },
    signIn: signInFrom(signIn),
  };
}

const NO_CLIENT = { clientId: '', clientSecret: '', url: '', apiUrl: '' };

function signInFrom({ authority, has, ...open }: PublicConfig['signIn']): SignInConfig {
  const client = { clientId: '', clientSecret: null, audience: null, accessTokenTyp: '' };
  return {
    ...open,
    authority: authority === null ? null : { ...client, url: authority },
    github: has.github ? NO_CLIENT : null,
    twitter: has.twitter ? NO_CLIENT : null,
    mail: has.mail ? { smtpUrl: '', from: '' } : null,
  };
}
