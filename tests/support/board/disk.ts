/** Full disks, and databases that another program keeps locked. */
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { onTestFinished } from 'vitest';

const PRLIMIT = '/usr/bin/prlimit';

/** Whether this computer has what {@linkcode takeAllRoom} needs. */
export const CAN_LIMIT = existsSync(PRLIMIT);

/** Undoes the change. */
type Undo = () => void;

/** Makes every write of a process to a file fail, and nothing else. */
export function takeAllRoom({ pid }: { pid: number }): Undo {
  limitFiles(pid, '0');
  return () => limitFiles(pid, 'unlimited');
}

/** Node ignores the signal that accompanies the error, so the process continues. */
function limitFiles(pid: number, bytes: string): void {
  execFileSync(PRLIMIT, [`--pid=${pid}`, `--fsize=${bytes}:unlimited`]);
}

/** Keeps the database of a folder locked, like another program. */
export function lockDatabase({ dataDir }: { dataDir: string }): Undo {
  const db = new Database(join(dataDir, 'opbench.sqlite'));
  onTestFinished(() => void db.close());
  db.exec('BEGIN IMMEDIATE');
  return () => db.exec('ROLLBACK');
}

/** The size of a small disk. */
const DISK_BYTES = 24 * 1024 * 1024;

/** A small disk that only the server sees instead of its data folder, with a copy of the folder. */
const MOUNT = `cp -a "$DATA_DIR" "$DATA_DIR.copy"
mount -t tmpfs -o size=${DISK_BYTES} tmpfs "$DATA_DIR"
cp -a "$DATA_DIR.copy/." "$DATA_DIR"
rm -r "$DATA_DIR.copy"
exec "$@"`;

/** Continues with the board of a folder on a disk that can be filled and emptied. */
export function aFullDisk(dataDir: string) {
  // The kernel shows another process's disk at this path.
  const filler = ({ pid }: { pid: number }) => join(`/proc/${pid}/root`, dataDir, 'filler');
  const env = { BASE_URL: 'https://board.test', PATH: process.env['PATH'] ?? '' };
  const within = [
    '/usr/bin/env',
    'unshare',
    '--map-root-user',
    '--mount',
    'sh',
    '-ec',
    MOUNT,
    'sh',
  ];
  return {
    options: { dataDir, env, within },
    fill(server: { pid: number }): void {
      const file = openSync(filler(server), 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: (server: { pid: number }) => rmSync(filler(server)),
  };
}

/** The lines of a server's log about an event. */
export function eventsIn(log: string, event: string): Record<string, unknown>[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((entry) => entry['event'] === event);
}
