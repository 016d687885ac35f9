/** Finds the log files of each tool on this device. */
import { type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { LogPlace, Surroundings } from '#core/readers/shared/places.ts';
import type { Reader } from '#core/readers/shared/reader.ts';
import { realPath } from '../state/atomic-file.ts';
import type { Environment } from '../settings.ts';
import { type LogPatterns, isLog, patternsOf } from './patterns.ts';

interface LogFiles {
  roots: string[];
  files: string[];
  unreadable: string[];
}

/** The format of a log: lines, compressed lines, one JSON document, or a SQLite database. */
type LogKind = 'lines' | 'packed' | 'document' | 'database';

export function kindOf(path: string): LogKind {
  if (/\.zstd?$/.test(path)) return 'packed';
  // Archived logs have another ending after this one, for example `.jsonl.deleted.2026-03-02`.
  if (/\.jsonl(\.[^/\\]*)?$/.test(path)) return 'lines';
  return path.endsWith('.json') ? 'document' : 'database';
}

type Platform = typeof process.platform;

/** A place on this device. Without patterns, it is a log file. */
interface LogRoot {
  path: string;
  patterns: LogPatterns | null;
  /** Distinguishes several places with the same path. */
  label: string;
}

interface Search {
  platform?: Platform;
  /** Roots that other tools have searched, which are left out. Those of this tool are added. */
  claimed?: Set<string>;
}

/** Finds the logs of a tool. */
export function findLogFiles(
  reader: Pick<Reader, 'places'>,
  env: Environment,
  { platform, claimed = new Set() }: Search = {},
): LogFiles {
  const roots = logRoots(reader, env, platform);
  const found = new Set<string>();
  const unreadable: string[] = [];
  for (const root of unclaimed(roots, claimed)) search(root, found, unreadable);
  const paths = new Set(roots.map(({ path }) => path));
  return { roots: [...paths], files: [...found].sort(), unreadable };
}

/** The places that are searched, including those that do not exist. */
export function logRoots(
  { places }: Pick<Reader, 'places'>,
  env: Environment,
  platform: Platform = process.platform,
): LogRoot[] {
  return places(surroundingsIn(env, platform)).map((place) => {
    const { logs, except = [] } = place;
    const patterns = logs === undefined ? null : patternsOf(logs, except);
    return { path: pathOf(place), patterns, label: [...(logs ?? []), '', ...except].join('\n') };
  });
}

/** What the places of logs depend on. */
export function surroundingsIn(
  env: Environment,
  platform: Platform = process.platform,
): Surroundings {
  const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : (env.HOME ?? env.USERPROFILE);
  return { env, home, platform };
}

function pathOf({ path, inside }: LogPlace): string {
  const folder = inside === undefined ? path : join(path, inside);
  return normalize(existsSync(folder) ? folder : path);
}

/** Existing roots, without those that are the same folder under another name. */
function unclaimed(roots: readonly LogRoot[], claimed: Set<string>): LogRoot[] {
  return roots.filter(({ path, label }) => {
    if (!mayExist(path)) return false;
    const place = `${realPath(path)}\n${label}`;
    const isFree = !claimed.has(place);
    claimed.add(place);
    return isFree;
  });
}

/** Without an exception for each missing folder, which takes several times as long. */
function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** Collects the logs of a root. Does not follow links to folders. */
function search({ path, patterns }: LogRoot, found: Set<string>, unreadable: string[]): void {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const place = join(path, folder);
    try {
      if (patterns === null) {
        if (statSync(place).isFile()) found.add(place);
        continue;
      }
      const entries = readdirSync(place, { withFileTypes: true });
      for (const log of logsAmong(entries, folder, path, patterns)) found.add(log);
      folders.push(...foldersAmong(entries, folder, patterns));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unreadable.push(reasonFor(place, error));
    }
  }
}

function logsAmong(
  entries: readonly Dirent[],
  folder: string,
  root: string,
  patterns: LogPatterns,
): string[] {
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter(({ name }) => isLog(patterns, below(folder, name)) && !isPackedCopy(name, names))
    .map((entry) => ({ entry, path: join(root, folder, entry.name) }))
    .filter(({ entry, path }) => isFile(entry, path))
    .map(({ path }) => path);
}

function foldersAmong(
  entries: readonly Dirent[],
  folder: string,
  { folders }: LogPatterns,
): string[] {
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => below(folder, name));
  return inside.filter((path) => folders.test(path));
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isPackedCopy(name: string, names: ReadonlySet<string>): boolean {
  return /\.zstd?$/.test(name) && names.has(name.replace(/\.zstd?$/, ''));
}

function isFile(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function reasonFor(path: string, error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  // Only system codes such as EACCES are clear. For other errors, the message is shown.
  return `${path}: ${typeof code === 'string' && !code.startsWith('ERR_') ? code : message}`;
}
