import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { readText } from './atomic-file.ts';

/** A lock that is held for longer is stale, even if there is a process with its number. */
const LONGEST_HOLD_MS = 60 * 60 * 1000;
/** A lock without a process number is being written, or stale after this time. */
const LONGEST_WRITE_MS = 10_000;
/** The number of attempts to take a lock, and the pause between them. */
const TRIES = 60;
const PAUSE_MS = 500;

/** The locks of this process. Its number alone could be that of an earlier process. */
const held = new Set<string>();

/**
 * Runs a function while holding a lock, so that only one process runs it at a time. Waits for the lock.
 *
 * @param path The lock file, which contains the number of the process.
 * @throws {Failure} if another process holds the lock for too long.
 */
export async function withLock<Result>(
  { wait }: Pick<LocalDevice, 'wait'>,
  path: string,
  run: () => Promise<Result>,
): Promise<Result> {
  let release = takeLock(path);
  for (let tries = 1; release === null; tries += 1) {
    if (tries === TRIES) {
      const message = `Another opbench (process ${holderOf(path) ?? 'unknown'}) is running here`;
      throw new Failure(EXIT.usage, message, 'Run the command again when that one is done.');
    }
    await wait(PAUSE_MS);
    release = takeLock(path);
  }
  try {
    return await run();
  } finally {
    release();
  }
}

/**
 * Takes a lock if it is free or stale.
 *
 * @returns A function that releases it; null if another process, or another step of this one, holds it.
 */
export function takeLock(path: string): (() => void) | null {
  if (!create(path) && !(breakOne(path) && create(path))) return null;
  held.add(path);
  return () => {
    held.delete(path);
    if (holderOf(path) === process.pid) rmSync(path, { force: true });
  };
}

function create(path: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createFilled(path, String(process.pid));
    return true;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // If a file is in place of the folder, there is no lock.
    if (code === 'EEXIST' && syscall !== 'mkdir') return false;
    // The file may have been created without its content.
    if (holderOf(path) === null) rmSync(path, { force: true });
    throw new Failure(EXIT.usage, `${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Creates the file together with its content, so that an interrupted process leaves no empty lock. */
function createFilled(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, path);
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    const isLinking = syscall === 'link' && code !== 'EEXIST';
    if (!isLinking) throw error;
    // Some file systems do not support hard links.
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } finally {
    rmSync(draft, { force: true });
  }
}

function holderOf(path: string): number | null {
  const text = readText(path);
  return text !== null && /^\d{1,10}$/.test(text) ? Number(text) : null;
}

function isLeftBehind(path: string, holder: number | null): boolean {
  if (held.has(path)) return false;
  const since = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const age = since === undefined ? Number.POSITIVE_INFINITY : Date.now() - since;
  if (holder === null) return age > LONGEST_WRITE_MS;
  return age > LONGEST_HOLD_MS || holder === process.pid || !isAlive(holder);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes a stale lock. If another process has taken it meanwhile, it is put back. */
function breakOne(path: string): boolean {
  const holder = holderOf(path);
  if (!isLeftBehind(path, holder)) return false;
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return true;
  }
  const isSame = holderOf(aside) === holder;
  if (!isSame) putBack(aside, path);
  rmSync(aside, { force: true });
  return isSame;
}

function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch {
    // A third process already has the lock.
  }
}
