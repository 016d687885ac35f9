/**
 * The note that a server leaves in its data folder while it runs. By it commands find the server, whatever HOST, PORT
 * and BASE_URL are in their own environment.
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

/** The server that runs on a data folder: its note counts while the folder is locked and its process is there. */
function runningServer(dataDir: string): ServerNote | null {
  const note = lastServerNote(dataDir);
  return note !== null && isLocked(dataDir) && isAlive(note.pid) ? note : null;
}

/** Whether a process has the data folder. Asked only where the lock's file is: making it could keep another user's board from starting. */
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

/** The process of another user is there, too, but may not be signaled. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * The configuration of an environment, with the address of the server that runs on its data folder. A BASE_URL
 * of the environment stays.
 */
export function readServedConfig(environment: Environment): Config {
  const config = readConfig(environment);
  const server = runningServer(config.dataDir);
  if (server === null) return config;
  const { host, port, base_url } = server;
  return { ...config, host, port, baseUrl: config.baseUrl ?? base_url };
}
