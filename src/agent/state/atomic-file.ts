import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { EXIT, Failure, orNull } from '../failure.ts';
import { jsonAs } from '../json-as.ts';

/** File modes: readable, or executable, by the owner only. */
const PRIVATE = 0o600;
const PRIVATE_PROGRAM = 0o700;

/** What a file contains, in one piece or several. */
type Content = string | Uint8Array | readonly (string | Uint8Array)[];

interface Writing {
  mode: number;
  isSynced?: boolean;
}

/** The number of attempts to replace a file that is in use, and the pause between them. */
const RENAME_TRIES = 10;
const RENAME_PAUSE_MS = 50;

/**
 * Writes a file atomically, readable by its owner only.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writePrivate(path: string, content: Content): void {
  writeWhole(path, content, { mode: PRIVATE });
}

/**
 * Like {@linkcode writePrivate}, but faster, because it does not wait for the disk. A power failure may damage the file,
 * so readers must notice that.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writeCache(path: string, content: Content): void {
  writeWhole(path, content, { mode: PRIVATE, isSynced: false });
}

/**
 * Writes a program atomically, executable by its owner only.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writeProgram(path: string, bytes: Uint8Array): void {
  writeWhole(path, bytes, { mode: PRIVATE_PROGRAM });
}

/**
 * Writes a file of another program atomically. Keeps its mode; a new file is readable by its owner only.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writeForeign(path: string, content: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  writeWhole(path, content, { mode: stats ? stats.mode & 0o777 : PRIVATE });
}

/**
 * Writes a temporary file and renames it, so that the file is complete or unchanged.
 *
 * @throws {Failure} if it cannot be written.
 */
function writeWhole(path: string, content: Content, { mode, isSynced = true }: Writing): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(draft, 'w', mode);
    try {
      fchmodSync(file, mode);
      for (const part of [content].flat()) writeFileSync(file, part);
      if (isSynced) fsyncSync(file);
    } finally {
      closeSync(file);
    }
    replaceFile(draft, path);
    if (isSynced) syncFolder(dirname(path));
  } catch (error) {
    removeDraft(draft);
    throw unwritable(path, error);
  }
}

/** Removes a temporary file. Errors are ignored, for example because its folder is a file. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // The error of writing says more.
  }
}

/**
 * Renames a file over another one. Windows refuses while any process has the other one open, even a virus scanner, so
 * this tries again for up to half a second.
 */
function replaceFile(draft: string, path: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      return renameSync(draft, path);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      const isInUse = process.platform === 'win32' && ['EACCES', 'EBUSY', 'EPERM'].includes(code);
      if (!isInUse || tries === RENAME_TRIES) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RENAME_PAUSE_MS);
    }
  }
}

/** Removes a file and the temporary files of interrupted writes. */
export function removeWhole(path: string): void {
  const folder = dirname(path);
  const isTemporaryFile = (name: string) => {
    return name.startsWith(`${basename(path)}.`) && /\.\d+\.tmp$/.test(name);
  };
  const drafts = listFolder(folder).filter(isTemporaryFile);
  for (const one of [path, ...drafts.map((name) => join(folder, name))])
    rmSync(one, { force: true });
}

/**
 * Appends a line to a file, readable by its owner only. A line that was cut off by a full disk stays separate.
 *
 * @throws {Failure} if it cannot be written.
 */
export function appendLine(path: string, line: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const before = readText(path) ?? '';
    const start = before === '' || before.endsWith('\n') ? '' : '\n';
    const file = openSync(path, 'a', PRIVATE);
    try {
      writeFileSync(file, `${start}${line}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const reason = (error as Error).message;
  const hint = 'Free some disk space, or make the folder writable.';
  return new Failure(EXIT.usage, `${path} cannot be written: ${reason}`, hint);
}

/** Syncs a folder, so that a rename survives a power failure. Ignores platforms that cannot. */
function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, 'r');
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch {
    // Windows and some network file systems cannot sync folders.
  } finally {
    closeSync(handle);
  }
}

/**
 * A file's text, or null if there is none.
 *
 * @throws {Failure} if it cannot be read.
 */
export function readText(path: string): string | null {
  return readBytes(path)?.toString('utf8') ?? null;
}

/**
 * A file's bytes, or null if there is none.
 *
 * @throws {Failure} if it cannot be read.
 */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new Failure(EXIT.usage, `${path} cannot be read: ${message}`);
  }
}

/** The content of a JSON file; null if it is missing, unreadable or does not match the schema. */
export function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): z.output<Schema> | null {
  return orNull(() => jsonAs(schema, readText(path) ?? ''));
}

/** Like {@linkcode readJson}, for a file that belongs to one device; null if it belongs to another. */
export function readOfDevice<Of extends { device_id: string }>(
  path: string,
  schema: z.ZodType<Of>,
  deviceId: string,
): Of | null {
  const kept = readJson(path, schema);
  return kept?.device_id === deviceId ? kept : null;
}

/**
 * The lines of a JSON lines file, in order. Invalid lines are skipped.
 *
 * @throws {Failure} if the file cannot be read.
 */
export function readJsonLines<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): z.output<Schema>[] {
  const lines = (readText(path) ?? '').split('\n').map((line) => jsonAs(schema, line));
  return lines.filter((line) => line !== null);
}

/** A path with symbolic links resolved, or unchanged if it does not exist. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The names in a folder; empty if it cannot be read. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
