/** Where each tool keeps its logs on this device. */
import type { Dirent } from 'node:fs';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { Environment } from '../settings.ts';

/** A folder that a tool writes to, whether or not it is there. */
export interface LogRoot {
  path: string;
  /** Claude Desktop's sessions: only the transcripts of the agents inside them are logs. */
  isCowork: boolean;
}

export interface LogFiles {
  roots: string[];
  files: string[];
  /** What could not be looked into, with the reason. */
  unreadable: string[];
}

type Platform = typeof process.platform;

/** The log files of a tool, sorted, with the folders looked at. */
export function findLogFiles(tool: string, env: Environment, platform?: Platform): LogFiles {
  const roots = logRoots(tool, env, platform);
  const found = new Set<string>();
  const unreadable: string[] = [];
  for (const root of distinct(roots)) walk(root, found, unreadable);
  return { roots: roots.map(({ path }) => path), files: [...found].sort(), unreadable };
}

/** The folders in which a tool may keep logs. */
export function logRoots(
  tool: string,
  env: Environment,
  platform: Platform = process.platform,
): LogRoot[] {
  const home = platform === 'win32' ? (env.USERPROFILE ?? env.HOME) : (env.HOME ?? env.USERPROFILE);
  if (tool === 'claude-code') {
    const plain = claudeRoots(env, home).map((path) => ({ path, isCowork: false }));
    return [...plain, ...coworkRoots(env, home, platform)];
  }
  return codexRoots(env, home).map((path) => ({ path, isCowork: false }));
}

function claudeRoots(env: Environment, home: string | undefined): string[] {
  const named = listed(env.CLAUDE_CONFIG_DIR, home);
  if (named.length > 0) return named.map(projectsOf);
  const config = env.XDG_CONFIG_HOME || under(home, '.config')[0];
  return [...under(home, '.claude', 'projects'), ...under(config, 'claude', 'projects')];
}

/** The variable may name the configuration or the folder of projects inside it. */
function projectsOf(folder: string): string {
  const inside = join(folder, 'projects');
  return basename(folder) === 'projects' && !existsSync(inside) ? folder : inside;
}

function coworkRoots(env: Environment, home: string | undefined, platform: Platform): LogRoot[] {
  const folders: string[] = [];
  if (platform === 'darwin') folders.push(...under(home, 'Library', 'Application Support'));
  if (platform === 'win32') {
    folders.push(...under(env.APPDATA), ...storeFolders(env.LOCALAPPDATA));
  }
  return folders.map((folder) => {
    return { path: join(folder, 'Claude', 'local-agent-mode-sessions'), isCowork: true };
  });
}

/** The roaming folders of Claude Desktop as installed from the Microsoft Store. */
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

function codexRoots(env: Environment, home: string | undefined): string[] {
  const named = listed(env.CODEX_HOME, home);
  const homes = named.length > 0 ? named : under(home, '.codex');
  return homes.flatMap((folder) => [join(folder, 'sessions'), join(folder, 'archived_sessions')]);
}

function under(folder: string | undefined, ...parts: string[]): string[] {
  return folder ? [join(folder, ...parts)] : [];
}

/** The folders in a comma-separated list. */
function listed(list: string | undefined, home: string | undefined): string[] {
  const folders = (list ?? '').split(',').map((folder) => folder.trim());
  return folders.filter(Boolean).map((folder) => {
    return home && /^~(?=$|[/\\])/.test(folder) ? join(home, folder.slice(1)) : folder;
  });
}

/** Leaves out folders that are another one of them under another name. */
function distinct(roots: readonly LogRoot[]): LogRoot[] {
  const byPlace = new Map<string, LogRoot>();
  for (const root of roots) {
    const place = realPathOf(root.path);
    if (!byPlace.has(place)) byPlace.set(place, root);
  }
  return [...byPlace.values()];
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Collects the logs below a root, to any depth; linked folders are not entered. */
function walk(root: LogRoot, found: Set<string>, unreadable: string[]): void {
  const folders = [root.path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    try {
      const entries = readdirSync(folder, { withFileTypes: true });
      for (const path of logsAmong(entries, folder, root)) found.add(path);
      for (const entry of entries) if (entry.isDirectory()) folders.push(join(folder, entry.name));
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') unreadable.push(reasonFor(folder, error));
    }
  }
}

function logsAmong(entries: readonly Dirent[], folder: string, root: LogRoot): string[] {
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter(({ name }) => !isPackedCopy(name, names))
    .map((entry) => ({ entry, path: join(folder, entry.name) }))
    .filter(({ entry, path }) => isLog(root, path) && isFile(entry, path))
    .map(({ path }) => path);
}

function isLog(root: LogRoot, path: string): boolean {
  if (!/\.jsonl(\.zst)?$/.test(path)) return false;
  // Beside the transcripts lies `audit.jsonl`, which repeats a part of them.
  const isTranscript = path.includes(`${sep}.claude${sep}projects${sep}`);
  return !root.isCowork || (isTranscript && basename(path) !== 'audit.jsonl');
}

/** Whether a packed log lies beside the plain one. */
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

/** A path and why it could not be read, for a person. */
export function reasonFor(path: string, error: unknown): string {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  return `${path}: ${typeof code === 'string' ? code : message}`;
}
