/**
 * The note that a running server leaves in its data folder. The admin CLI finds the server through it, whatever HOST,
 * PORT and BASE_URL are in the CLI's own environment.
 *
 * @module
 */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { lockData } from '#db/engine/data-lock.ts';
import { type Config, type Environment, readConfig } from './config/config.ts';
import { temporaryPathOf } from './process/atomic-file.ts';

const ServerNote = z.object({
  pid: z.int().min(1),
  started_at: z.iso.datetime(),
  host: z.string(),
  port: z.int().min(1).max(65_535),
  base_url: z.url(),
});
type ServerNote = z.infer<typeof ServerNote>;

function pathOf(dataDir: string): string {
  return join(dataDir, 'server.json');
}

export function leaveServerNote(dataDir: string, note: Omit<ServerNote, 'pid'>): void {
  const path = pathOf(dataDir);
  const text = `${JSON.stringify({ pid: process.pid, ...note })}\n`;
  writeFileSync(temporaryPathOf(path), text, { mode: 0o600 });
  renameSync(temporaryPathOf(path), path);
}

export function removeServerNote(dataDir: string): void {
  rmSync(pathOf(dataDir), { force: true });
}

export function lastServerNote(dataDir: string): ServerNote | null {
  try {
    return ServerNote.parse(JSON.parse(readFileSync(pathOf(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/**
 * Returns the note of the server that runs on a data folder, or null. A note counts only while the folder is locked
 * and its process exists.
 */
function runningServer(dataDir: string): ServerNote | null {
  const note = lastServerNote(dataDir);
  return note !== null && isLocked(dataDir) && isAlive(note.pid) ? note : null;
}

/**
 * Returns whether a process has locked the data folder. Opens only an existing lock file, because creating one could
 * prevent another user's server from starting.
 */
export function isLocked(dataDir: string): boolean {
  if (!existsSync(join(dataDir, 'server.lock'))) return false;
  try {
    const lock = lockData(dataDir);
    lock?.release();
    return lock === null;
  } catch {
    return false;
  }
}

/** A process of another user exists, but may not be signaled. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns the configuration of an environment, with the address of the server that runs on its data folder. A
 * BASE_URL in the environment takes precedence.
 */
export function readServedConfig(environment: Environment): Config {
  const config = readConfig(environment);
  const server = runningServer(config.dataDir);
  if (server === null) return config;
  const { host, port, base_url } = server;
  return { ...config, host, port, baseUrl: config.baseUrl ?? base_url };
}
