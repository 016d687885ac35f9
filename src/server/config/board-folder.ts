/** Reads the board folder: `board.toml`, and optionally `board.css` and a logo. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { RULESET_NUMBERS, type RulesetNumbers } from '#core/domain/board/ruleset.ts';
import { colourStyle, coloursOf, unreadable } from './board-colours.ts';
import { type BoardFile, readBoardFile } from './board-file.ts';
import { readLogo } from './board-logo.ts';
import type { Cohort } from '#core/schema/profile.ts';
import { DEFAULT_SITE, type Site, type SiteFile, siteFile } from './site.ts';

export interface BoardFolder {
  name: string | null;
  description: string | null;
  cohorts: readonly Cohort[];
  site: Site;
  files: readonly SiteFile[];
  /** What an operator needs to be ranked. */
  eligibility: RulesetNumbers;
  /** How many past days keep their values. */
  valuesDays: number;
}

export const NO_FOLDER: BoardFolder = {
  name: null,
  description: null,
  cohorts: [],
  site: DEFAULT_SITE,
  files: [],
  eligibility: RULESET_NUMBERS,
  valuesDays: DEFAULT_VALUES_DAYS,
};

export const BOARD_FILE = 'board.toml';
export const STYLE_FILE = 'board.css';

const TEXT_BYTES = 64 * 1024;
const MISSING = 'does not exist. Create it: opbench-board init DIR';

/** Reads a folder. If there are faults, each with its file, the board must not be used. */
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
  const { links, cohorts, embed } = file;
  const address = stylesheet?.address ?? null;
  return {
    name: file.name ?? null,
    description: file.description ?? null,
    cohorts,
    site: { name, description, links, logo, icon, stylesheet: address, colours, embed },
    files: [stylesheet, picture].filter((found) => found !== null),
    eligibility: file.eligibility,
    valuesDays: file.history.values_days,
  };
}

function styleFile(style: string): SiteFile | null {
  if (style === '') return null;
  return siteFile('style.css', 'text/css; charset=utf-8', Buffer.from(style));
}

/** Whether a style sheet has only comments, as `opbench-board init` writes it, so that pages need not load it. */
function isEmptyStyle(style: string): boolean {
  return style.replaceAll(/\/\*[\s\S]*?\*\//g, '').trim() === '';
}

interface Wanted {
  most: number;
  /** The fault if the file is missing; without it, the file is optional. */
  missing?: string;
}

/** Reads files inside one folder, and collects faults. */
export class FolderReader {
  readonly faults: string[] = [];
  readonly #folder: string;
  /** The path of the folder with all links resolved; null if it cannot be read. */
  readonly #real: string | null;

  constructor(folder: string) {
    this.#folder = folder;
    this.#real = this.#open();
  }

  fault(what: string, file = ''): void {
    this.faults.push(`${join(this.#folder, file)}: ${what}`);
  }

  text(name: string, wanted: Wanted): string | null {
    const bytes = this.bytes(name, wanted);
    if (bytes === null) return null;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      this.fault('is not UTF-8 text', name);
      return null;
    }
  }

  bytes(name: string, { most, missing }: Wanted): Buffer | null {
    if (this.#real === null) return null;
    try {
      const path = realpathSync(join(this.#real, name));
      const fault = faultOf(path, this.#real, most);
      if (fault === null) return readFileSync(path);
      this.fault(fault, name);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT') this.fault(`cannot be read: ${message}`, name);
      else if (missing !== undefined) this.fault(missing, name);
    }
    return null;
  }

  #open(): string | null {
    try {
      if (statSync(this.#folder).isDirectory()) return realpathSync(this.#folder);
      this.fault('is a file. BOARD_DIR must be a folder');
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      this.fault(
        code === 'ENOENT'
          ? 'does not exist. BOARD_DIR must be a folder'
          : `cannot be read: ${message}`,
      );
    }
    return null;
  }
}

function faultOf(path: string, folder: string, most: number): string | null {
  if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
    return 'is a link out of the folder. Copy the file into the folder';
  }
  const found = statSync(path);
  if (!found.isFile()) return 'is not a file';
  return found.size > most ? `has ${found.size} bytes. It must have at most ${most}` : null;
}
