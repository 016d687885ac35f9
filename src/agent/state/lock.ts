import { linkSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import { readText } from './atomic-file.ts';

/** Who holds a lock for longer is taken to be gone, even if its process number is used again. */
const LONGEST_HOLD_MS = 60 * 60 * 1000;
/** A lock that names nobody is just being written, or was left by a full disk. */
const LONGEST_WRITE_MS = 10_000;
/** How often and how far apart a lock is asked for. */
const TRIES = 60;
const PAUSE_MS = 500;

/** What this process holds: a number alone may be that of an earlier process. */
const held = new Set<string>();

/**
 * Does something while no other process of this device does it; waits for one that does.
 *
 * @param path The file that marks that it is done, and by whom.
 * @throws {Failure} if another process does it for too long.
 */
export async function withLock<Result>(
  { wait }: Pick<LocalDevice, 'wait'>,
  path: string,
  run: () => Promise<Result>,
): Promise<Result> {
  let release = takeLock(path);
  for (let tries = 1; release === null; tries += 1) {
    if (tries === TRIES) {
      const message = `Another opbench (process ${holderOf(path) ?? 'unknown'}) is at work here`;
      throw new Failure(EXIT.usage, message, 'Run it again when that one is done.');
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
 * Takes a lock if nobody holds it; one that was left behind counts as nobody's.
 *
 * @returns What gives it back; null if another process, or another step of this one, has it.
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // It may have been made, and not filled.
    if (holderOf(path) === null) rmSync(path, { force: true });
    throw new Failure(EXIT.usage, `${path} cannot be written: ${(error as Error).message}`);
  }
}

/** It is there with its content at once, so that a process that ends meanwhile leaves none that names nobody. */
function createFilled(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    linkSync(draft, path);
  } catch (error) {
    const { syscall, code } = error as NodeJS.ErrnoException;
    const isLinking = syscall === 'link' && code !== 'EEXIST';
    if (!isLinking) throw error;
    // Some file systems have no links.
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

/** Takes away what was left behind; if it is another's by now, it is put back. */
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
    // A third one has it already.
  }
}
