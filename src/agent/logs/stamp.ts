/** What files look like from outside: while a file looks the same, it says the same. */
import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import type { Reader } from '#core/readers/reader.ts';
import type { Environment } from '../settings.ts';
import { findLogFiles, kindOf, reasonFor } from './files.ts';

export interface Stamp {
  size: number;
  inode: string;
  /** When its content changed, by its own word, in nanoseconds since the epoch. */
  modified: string;
  /** When anything of it changed, by the file system's word, in nanoseconds since the epoch. */
  changed: string;
  /** The stamp of the log that a database writes beside itself, empty for all else. */
  beside: string;
}

/** File systems tell the time in steps of up to two seconds. */
const STEP_MS = 2000;

const NS_IN_MS = 1_000_000n;

/**
 * The stamp of a log; that of a database is as young as the log that it writes beside itself.
 *
 * @throws {Error} if it cannot be looked at.
 */
export function stampOf(path: string): Stamp {
  const stamp = stampFrom(statSync(path, { bigint: true }));
  if (kindOf(path) !== 'database') return stamp;
  const log = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  if (log === undefined) return stamp;
  const isYounger = log.mtimeNs > BigInt(stamp.modified);
  const modified = isYounger ? String(log.mtimeNs) : stamp.modified;
  return { ...stamp, modified, beside: stampText(stampFrom(log)) };
}

/** The stamp of an open log that is no database. */
export function stampOfOpen(file: number): Stamp {
  return stampFrom(fstatSync(file, { bigint: true }));
}

function stampFrom({ size, ino, mtimeNs, ctimeNs }: BigIntStats): Stamp {
  return {
    size: Number(size),
    inode: String(ino),
    modified: String(mtimeNs),
    changed: String(ctimeNs),
    beside: '',
  };
}

/** The stamp as one text: equal if and only if nothing in it changed. */
export function stampText({ size, inode, modified, changed, beside }: Stamp): string {
  return `${size} ${inode} ${modified} ${changed} ${beside}`;
}

/** Whether a file may be the same with something added to its end. */
export function mayHaveGrown(before: Stamp, now: Stamp): boolean {
  const isLater = BigInt(now.modified) >= BigInt(before.modified);
  return now.inode === before.inode && now.size >= before.size && isLater;
}

/** Whether a later change would have changed the stamp of a file that was read at this time. */
export function isSettled(stamp: Stamp, readMs: number): boolean {
  return readMs - modifiedMs(stamp) > STEP_MS;
}

/** When the content of a file changed, in milliseconds since the epoch. */
export function modifiedMs({ modified }: Stamp): number {
  return Number(BigInt(modified) / NS_IN_MS);
}

/** The logs of a tool as they look from outside, without opening one. */
export interface StampedLogs {
  reader: Reader;
  roots: string[];
  files: number;
  /** The stamps of those that can be looked at, by their path. */
  stamps: Map<string, Stamp>;
  unreadable: string[];
}

export function findStampedLogs(reader: Reader, env: Environment): StampedLogs {
  const { roots, files, unreadable } = findLogFiles(reader.tool, env);
  const stamps = new Map<string, Stamp>();
  for (const path of files) {
    try {
      stamps.set(path, stampOf(path));
    } catch (error) {
      unreadable.push(reasonFor(path, error));
    }
  }
  return { reader, roots, files: files.length, stamps, unreadable };
}
