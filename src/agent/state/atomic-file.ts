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
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { EXIT, Failure, orNull } from '../failure.ts';
import { jsonAs } from '../json-as.ts';

/** The modes of what only its owner may read, and run. */
const PRIVATE = 0o600;
const PRIVATE_PROGRAM = 0o700;

/**
 * Writes a file whole or not at all, readable by its owner only.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writePrivate(path: string, content: string | Uint8Array): void {
  writeWhole(path, content, PRIVATE);
}

/**
 * Writes a program whole or not at all; its owner may run it.
 *
 * @throws {Failure} if it cannot be written.
 */
export function writeProgram(path: string, bytes: Uint8Array): void {
  writeWhole(path, bytes, PRIVATE_PROGRAM);
}

/**
 * Writes a file whole or not at all, with exactly this mode.
 *
 * @throws {Failure} if it cannot be written.
 */
function writeWhole(path: string, content: string | Uint8Array, mode: number): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = openSync(draft, 'w', mode);
    try {
      fchmodSync(file, mode);
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw unwritable(path, error);
  }
}

/** Removes a file, and what writes of it left that came to no end. */
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
 * Adds a line to a file that only its owner may read; what a full disk cut off before stays a line
 * of its own.
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
  return new Failure(EXIT.usage, `${path} cannot be written: ${reason}`, 'Make room or allow it.');
}

/** Makes a rename last through a loss of power, where the platform can. */
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
    // Windows and some network file systems do not sync folders.
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

/** What a file of JSON says; null if there is none, it cannot be read, or it says something else. */
export function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): z.output<Schema> | null {
  return orNull(() => jsonAs(schema, readText(path) ?? ''));
}

/** The same of a file that holds for one device; null if it is another's. */
export function readOfDevice<Of extends { device_id: string }>(
  path: string,
  schema: z.ZodType<Of>,
  deviceId: string,
): Of | null {
  const kept = readJson(path, schema);
  return kept?.device_id === deviceId ? kept : null;
}

/**
 * The lines of a file of JSON lines, in order; one that cannot be understood is left out.
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

/** A path without links, or as it is if it leads nowhere. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The names in a folder; none if it cannot be looked into. */
export function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
