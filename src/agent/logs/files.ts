/** Finds the log files of each tool on this device. */
import { type Dirent, readdirSync, statSync, existsSync } from 'node:fs';
import { join, basename, dirname, isAbsolute } from 'node:path';
import { realPath } from '../state/atomic-file.ts';
import type { Environment } from '../settings.ts';

interface LogFiles {
  roots: string[];
  files: string[];
  unreadable: string[];
}

/** The format of a log: lines, compressed lines, one JSON document, or a SQLite database. */
type LogKind = 'lines' | 'packed' | 'document' | 'database';

export function kindOf(path: string): LogKind {
  if (path.endsWith('.jsonl')) return 'lines';
  if (path.endsWith('.zst')) return 'packed';
  return path.endsWith('.json') ? 'document' : 'database';
}

export function findLogFiles(
  tool: string,
  env: Environment,
  platform?: typeof process.platform,
): LogFiles {
  const roots = logRoots(tool, env, platform);
  const found = new Set<string>();
  const unreadable: string[] = [];
  for (const root of distinct(roots)) walk(root, found, unreadable);
  const paths = new Set(roots.map(({ path }) => path));
  return { roots: [...paths], files: [...found].sort(), unreadable };
}

/** Removes roots that are the same folder under another name. */
function distinct(roots: readonly LogRoot[]): LogRoot[] {
  const byPlace = new Map<string, LogRoot>();
  for (const root of roots) {
    const place = `${realPath(root.path)}\n${root.logs}`;
    if (!byPlace.has(place)) byPlace.set(place, root);
  }
  return [...byPlace.values()];
}

/** Collects the logs below a root. Does not follow links to folders. */
function walk(root: LogRoot, found: Set<string>, unreadable: string[]): void {
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const path = join(root.path, folder);
    try {
      const entries = readdirSync(path, { withFileTypes: true });
      for (const log of logsAmong(entries, folder, root)) found.add(log);
      folders.push(...foldersAmong(entries, folder, root));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unreadable.push(reasonFor(path, error));
    }
  }
}

function logsAmong(entries: readonly Dirent[], folder: string, root: LogRoot): string[] {
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter(({ name }) => root.logs.test(below(folder, name)) && !isPackedCopy(name, names))
    .map((entry) => ({ entry, path: join(root.path, folder, entry.name) }))
    .filter(({ entry, path }) => isFile(entry, path))
    .map(({ path }) => path);
}

function foldersAmong(entries: readonly Dirent[], folder: string, root: LogRoot): string[] {
  const inside = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => below(folder, name));
  return inside.filter((path) => root.folders?.test(path) ?? true);
}

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isPackedCopy(name: string, names: ReadonlySet<string>): boolean {
  return name.endsWith('.zst') && names.has(name.slice(0, -'.zst'.length));
}

function isFile(entry: Dirent, path: string): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export function reasonFor(path: string, error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  // Only system codes such as EACCES are clear. For other errors, the message is shown.
  return `${path}: ${typeof code === 'string' && !code.startsWith('ERR_') ? code : message}`;
}

/** A folder that a tool may write to. */
interface LogRoot {
  path: string;
  /** Matches logs by their path below the root, with `/` as separator. */
  logs: RegExp;
  /** Matches folders to search by their path below the root. Default: all. */
  folders?: RegExp;
}

type Platform = typeof process.platform;

interface Surroundings {
  env: Environment;
  home: string | undefined;
  platform: Platform;
}

const TOOLS: Readonly<Record<string, (at: Surroundings) => LogRoot[]>> = {
  'claude-code': (at) => [
    ...claudeFolders(at).map((path) => ({ path, logs: LINES })),
    ...desktopFolders(at).map((folder) => ({ path: join(folder, ...COWORK), logs: TRANSCRIPTS })),
  ],
  codex: ({ env, home }) =>
    named(env.CODEX_HOME, home, under(home, '.codex')).flatMap((folder) => [
      { path: join(folder, 'sessions'), logs: LINES },
      { path: join(folder, 'archived_sessions'), logs: LINES },
    ]),
  'gemini-cli': (at) =>
    geminiFolders(at).map((path) => ({ path, logs: CHATS, folders: CHAT_FOLDERS })),
  opencode: (at) => [
    ...openCodeFolders(at).flatMap((folder) => [
      { path: folder, logs: /^opencode(-[^/]+)?\.db$/, folders: NO_FOLDERS },
      { path: join(folder, 'storage', 'message'), logs: /\.json$/ },
    ]),
    ...openCodeDatabase(at),
  ],
  'copilot-cli': ({ env, home }) =>
    (env.COPILOT_HOME ? [env.COPILOT_HOME] : under(home, '.copilot')).map((folder) => ({
      path: join(folder, 'session-state'),
      logs: /^[^/]+(\/events)?\.jsonl$/,
      folders: /^[^/]+$/,
    })),
};

const LINES = /\.jsonl(\.zst)?$/;
const NO_FOLDERS = /^(?!)/;

/** Claude Desktop's sessions. `audit.jsonl` repeats a part of the transcripts and is left out. */
const COWORK = ['Claude', 'local-agent-mode-sessions'];
const TRANSCRIPTS = /(^|\/)\.claude\/projects\/(?!(.*\/)?audit\.jsonl).*\.jsonl(\.zst)?$/;

/** The file of a session, or of a sub-agent in the session's folder. */
const CHATS = /(^|\/)chats\/(session-[^/]+\.jsonl?|[^/]+\/[^/]+\.jsonl)$/;
const CHAT_FOLDERS = /^[^/]+$|(^|\/)chats(\/[^/]+)?$/;

export function logRoots(
  tool: string,
  env: Environment,
  platform: Platform = process.platform,
): LogRoot[] {
  const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : (env.HOME ?? env.USERPROFILE);
  return TOOLS[tool]?.({ env, home, platform }) ?? [];
}

function claudeFolders({ env, home }: Surroundings): string[] {
  const folders = named(env.CLAUDE_CONFIG_DIR, home, []);
  if (folders.length > 0) return folders.map((folder) => orInside(folder, 'projects'));
  const config = env.XDG_CONFIG_HOME || under(home, '.config')[0];
  return [...under(home, '.claude', 'projects'), ...under(config, 'claude', 'projects')];
}

/** A variable may contain the folder of logs or its parent. */
function orInside(folder: string, name: string): string {
  const inside = join(folder, name);
  return basename(folder) === name && !existsSync(inside) ? folder : inside;
}

function desktopFolders({ env, home, platform }: Surroundings): string[] {
  if (platform === 'darwin') return under(home, 'Library', 'Application Support');
  if (platform !== 'win32') return [];
  return [...under(env.APPDATA), ...storeFolders(env.LOCALAPPDATA)];
}

/** The roaming folders of Claude Desktop if it was installed from the Microsoft Store. */
function storeFolders(local: string | undefined): string[] {
  return under(local, 'Packages').flatMap((packages) => {
    try {
      const names = readdirSync(packages).filter((name) => name.startsWith('Claude_'));
      return names.map((name) => join(packages, name, 'LocalCache', 'Roaming'));
    } catch {
      return [];
    }
  });
}

/** `GEMINI_CLI_HOME` is the tool's own variable. `GEMINI_DATA_DIR` is used by programs that read its logs. */
function geminiFolders({ env, home }: Surroundings): string[] {
  const folders = named(env.GEMINI_DATA_DIR, home, []);
  if (folders.length > 0) {
    return folders.map((folder) =>
      existsSync(join(folder, 'tmp')) ? join(folder, 'tmp') : folder,
    );
  }
  return under(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
}

function openCodeFolders({ env, home }: Surroundings): string[] {
  const { XDG_DATA_HOME = '' } = env;
  const data = isAbsolute(XDG_DATA_HOME) ? XDG_DATA_HOME : under(home, '.local', 'share')[0];
  return named(env.OPENCODE_DATA_DIR, home, under(data, 'opencode'));
}

/** The database in `OPENCODE_DB`, which may be a path or a name in the tool's folder. */
function openCodeDatabase(at: Surroundings): LogRoot[] {
  const { OPENCODE_DB = '' } = at.env;
  if (OPENCODE_DB === '' || OPENCODE_DB === ':memory:') return [];
  const paths = isAbsolute(OPENCODE_DB)
    ? [OPENCODE_DB]
    : openCodeFolders(at).map((folder) => join(folder, OPENCODE_DB));
  return paths.map((path) => {
    const name = basename(path).replaceAll(/[^\w-]/g, '\\$&');
    return { path: dirname(path), logs: new RegExp(`^${name}$`), folders: NO_FOLDERS };
  });
}

function under(folder: string | undefined, ...parts: string[]): string[] {
  return folder ? [join(folder, ...parts)] : [];
}

/** The folders in a comma-separated list, or `others` if it is empty. */
function named(list: string | undefined, home: string | undefined, others: string[]): string[] {
  const folders = (list ?? '').split(',').map((folder) => folder.trim());
  const found = folders.filter(Boolean).map((folder) => {
    return home && /^~(?=$|[/\\])/.test(folder) ? join(home, folder.slice(1)) : folder;
  });
  return found.length > 0 ? found : others;
}
