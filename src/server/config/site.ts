import { DEFAULT_ICON } from '#core/domain/text/file-paths.ts';
import { type Colours, DEFAULT_COLOURS, type Scheme } from '#core/domain/board/colours.ts';
import { sha256Hex } from '../process/crypto.ts';

/** What an admin can customize: the board's name, texts, links and look. */
export interface Site {
  name: string;
  description: string;
  links: readonly { label: string; href: string }[];
  logo: Logo | null;
  icon: string;
  stylesheet: string | null;
  colours: Readonly<Record<Scheme, Readonly<Colours>>>;
  /** The sites that may show the small board in a frame: origins, or `*` for all. */
  embed: readonly string[];
}

export interface Logo {
  address: string;
  /** The size on pages, in pixels. */
  width: number;
  height: number;
}

export interface SiteFile {
  /** The path of the file, which contains a hash of the bytes. */
  address: string;
  mediaType: string;
  bytes: Buffer;
}

/** A file whose path changes with its content, so that caches can keep it permanently. */
export function siteFile(name: string, mediaType: string, bytes: Buffer): SiteFile {
  const version = sha256Hex(bytes).slice(0, 16);
  return { address: `/board/${name.replace('.', `-${version}.`)}`, mediaType, bytes };
}

/** The site of a board without customization. */
export const DEFAULT_SITE: Site = {
  name: 'Opbench',
  description:
    'A leaderboard for people who work with AI assistants: every rank can be recomputed from a signed log, and every number shows its uncertainty.',
  links: [],
  logo: null,
  icon: DEFAULT_ICON,
  stylesheet: null,
  colours: DEFAULT_COLOURS,
  embed: [],
};
