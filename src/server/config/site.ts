import { DEFAULT_ICON } from '#core/domain/text/file-paths.ts';
import { type Colours, DEFAULT_COLOURS, type Scheme } from '#core/domain/board/colours.ts';
import { sha256Hex } from '../process/crypto.ts';

/** What an admin makes a board their own with: its name, words, links and look. */
export interface Site {
  name: string;
  description: string;
  links: readonly { label: string; href: string }[];
  logo: Logo | null;
  icon: string;
  stylesheet: string | null;
  colours: Readonly<Record<Scheme, Readonly<Colours>>>;
}

export interface Logo {
  address: string;
  /** As it is shown, in pixels. */
  width: number;
  height: number;
}

export interface SiteFile {
  /** Holds a hash of the bytes. */
  address: string;
  mediaType: string;
  bytes: Buffer;
}

/** A file under an address that changes with its content, so that copies can be kept for ever. */
export function siteFile(name: string, mediaType: string, bytes: Buffer): SiteFile {
  const version = sha256Hex(bytes).slice(0, 16);
  return { address: `/board/${name.replace('.', `-${version}.`)}`, mediaType, bytes };
}

/** A board of whose site the admin said nothing. */
export const DEFAULT_SITE: Site = {
  name: 'Opbench',
  description:
    'A leaderboard for people who work with AI assistants: every rank can be recomputed from a signed log, and every number says how sure it is.',
  links: [],
  logo: null,
  icon: DEFAULT_ICON,
  stylesheet: null,
  colours: DEFAULT_COLOURS,
};
