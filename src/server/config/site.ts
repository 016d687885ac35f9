import { DEFAULT_ICON } from '#core/domain/board/board-icons.ts';
import { type Colours, DEFAULT_COLOURS, type Scheme } from '#core/domain/board/colours.ts';
import { sha256Hex } from '../process/crypto.ts';

/** What a keeper makes a board their own with: its name, words, links and look. */
export interface Site {
  name: string;
  /** What the board is, in a sentence or two. */
  description: string;
  /** Where the keeper leads readers from the foot of every page. */
  links: readonly SiteLink[];
  /** The keeper's picture beside the name; null for none. */
  logo: Logo | null;
  /** The address of the picture in the browser's tab. */
  icon: string;
  /** The address of the keeper's colours and style; null for none. */
  stylesheet: string | null;
  /** All colours that the pages have, for pictures; the keeper's style may change more. */
  colours: Readonly<Record<Scheme, Readonly<Colours>>>;
}

export interface Logo {
  address: string;
  /** As it is shown, in pixels. */
  width: number;
  height: number;
}

export interface SiteLink {
  label: string;
  href: string;
}

/** A file of the keeper's that the board serves. */
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

/** A board of whose site the keeper said nothing. */
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
