/**
 * The note that a server leaves in its data folder. Through it, the admin CLI finds the server and its settings,
 * whatever is set in the CLI's own environment. After the server stopped, the note only names the file with its
 * settings.
 *
 * @module
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { temporaryPathOf } from './process/atomic-file.ts';

const SettingsFile = z.object({
  /** The absolute path of the file with settings; null or absent if there is none. */
  env_file: z.string().nullish(),
  /** The server's working directory, for relative paths in that file. */
  cwd: z.string().optional(),
});
type SettingsFile = z.infer<typeof SettingsFile>;

/** Version 0.12.0 reads and writes only the first five members. */
const ServerNote = z.object({
  pid: z.int().min(1),
  started_at: z.iso.datetime(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  base_url: z.url(),
  ...SettingsFile.shape,
  /** The settings that were given, without secrets. */
  settings: z.record(z.string(), z.string()).default({}),
  /** The names of the secret settings that were given. */
  secrets: z.array(z.string()).default([]),
});
export type ServerNote = z.infer<typeof ServerNote>;

function pathOf(dataDir: string): string {
  return join(dataDir, 'server.json');
}

export function leaveServerNote(dataDir: string, note: Omit<ServerNote, 'pid'>): void {
  write(dataDir, { pid: process.pid, ...note });
}

/** Replaces the note of a server that stops. Versions up to 0.12.0 ignore what remains. */
export function endServerNote(dataDir: string, { env_file, cwd }: SettingsFile): void {
  try {
    if (typeof env_file === 'string') return write(dataDir, { env_file, cwd });
  } catch {
    // A note that remains whole would look like a crash.
  }
  rmSync(pathOf(dataDir), { force: true });
}

function write(dataDir: string, note: object): void {
  const path = pathOf(dataDir);
  writeFileSync(temporaryPathOf(path), `${JSON.stringify(note)}\n`, { mode: 0o600 });
  renameSync(temporaryPathOf(path), path);
}

/** The note of a server that runs, or that did not stop properly; null otherwise. */
export function lastServerNote(dataDir: string): ServerNote | null {
  return read(dataDir, ServerNote);
}

/** The file with the settings of the last server, whether it runs or not. */
export function lastSettingsFile(dataDir: string): SettingsFile {
  return read(dataDir, SettingsFile) ?? {};
}

function read<Note>(dataDir: string, schema: z.ZodType<Note>): Note | null {
  try {
    return schema.parse(JSON.parse(readFileSync(pathOf(dataDir), 'utf8')));
  } catch {
    return null;
  }
}
