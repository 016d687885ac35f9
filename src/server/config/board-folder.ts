/** The folder in which a keeper makes a board their own: `board.toml`, and perhaps `board.css` and a logo. */
import { RULESET, type Ruleset, rulesetOf } from '#core/domain/board/ruleset.ts';
import { colourStyle, coloursOf, unreadable } from './board-colours.ts';
import { type BoardFile, readBoardFile } from './board-file.ts';
import { readLogo } from './board-logo.ts';
import { FolderReader } from './folder-reader.ts';
import { sha256Hex } from '../process/crypto.ts';
import type { Cohort } from './sign-in-config.ts';
import { DEFAULT_SITE, type Site, type SiteFile, siteFile } from './site.ts';

/** What a folder makes of a board. */
export interface BoardFolder {
  /** Null where the folder gives none. */
  name: string | null;
  cohorts: readonly Cohort[];
  site: Site;
  files: readonly SiteFile[];
  ruleset: Ruleset;
}

/** A board without a folder. */
export const NO_FOLDER: BoardFolder = {
  name: null,
  cohorts: [],
  site: DEFAULT_SITE,
  files: [],
  ruleset: RULESET,
};

export const BOARD_FILE = 'board.toml';
export const STYLE_FILE = 'board.css';

const TEXT_BYTES = 64 * 1024;
const MISSING = 'there is no such file; opbench-board init makes one';

/** Reads a folder, and says all that is wrong with it, each with its file; then the board is not to be used. */
export function readBoardFolder(folder: string): { board: BoardFolder; faults: readonly string[] } {
  const reader = new FolderReader(folder);
  const content = reader.text(BOARD_FILE, { most: TEXT_BYTES, missing: MISSING });
  const style = reader.text(STYLE_FILE, { most: TEXT_BYTES }) ?? '';
  const read = content === null ? { faults: [] } : readBoardFile(content);
  if ('file' in read) return { board: boardOf(read.file, style, reader), faults: reader.faults };
  read.faults.forEach((fault) => reader.fault(fault, BOARD_FILE));
  return { board: NO_FOLDER, faults: reader.faults };
}

function boardOf(file: BoardFile, style: string, reader: FolderReader): BoardFolder {
  const colours = coloursOf(file.colours);
  unreadable(file.colours, colours).forEach((fault) => reader.fault(fault, BOARD_FILE));
  const stylesheet = styleFile(colourStyle(colours) + (isEmptyStyle(style) ? '' : style));
  const { logo, icon, file: picture } = readLogo(file.logo, reader);
  const { name = DEFAULT_SITE.name, description = DEFAULT_SITE.description } = file;
  const { links, cohorts } = file;
  const address = stylesheet?.address ?? null;
  return {
    name: file.name ?? null,
    cohorts,
    site: { name, description, links, logo, icon, stylesheet: address, colours },
    files: [stylesheet, picture].filter((found) => found !== null),
    ruleset: rulesetOf(file.eligibility, sha256Hex),
  };
}

function styleFile(style: string): SiteFile | null {
  if (style === '') return null;
  return siteFile('style.css', 'text/css; charset=utf-8', Buffer.from(style));
}

/** The file as `opbench-board init` writes it is no reason for another request. */
function isEmptyStyle(style: string): boolean {
  return style.replaceAll(/\/\*[\s\S]*?\*\//g, '').trim() === '';
}
