/** The log files of each tool on this device. */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { realPath } from '../state/atomic-file.ts';
import type { Environment } from '../settings.ts';
import { type LogRoot, logRoots } from './roots.ts';

interface LogFiles {
  roots: string[];
  files: string[];
  /** What could not be looked into, with the reason. */
  unreadable: string[];
}

/** How a log is read: lines, packed lines, one JSON document, or rows of a SQLite database. */
export type LogKind = 'lines' | 'packed' | 'document' | 'database';

export function kindOf(path: string): LogKind {
  if (path.endsWith('.jsonl')) return 'lines';
  if (path.endsWith('.zst')) return 'packed';
  return path.endsWith('.json') ? 'document' : 'database';
}

/** The log files of a tool, sorted, with the folders looked at. */
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

/** Leaves out roots that are another one of them under another name. */
function distinct(roots: readonly LogRoot[]): LogRoot[] {
  const byPlace = new Map<string, LogRoot>();
  for (const root of roots) {
    const place = `${realPath(root.path)}\n${root.logs}`;
    if (!byPlace.has(place)) byPlace.set(place, root);
  }
  return [...byPlace.values()];
}

/** Collects the logs below a root; linked folders are not entered. */
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
  // What the runtime or SQLite says is in the message; only the system's own codes say all.
  return `${path}: ${typeof code === 'string' && !code.startsWith('ERR_') ? code : message}`;
}
