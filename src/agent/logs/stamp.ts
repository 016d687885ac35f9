/** Stamps of files: while a file's stamp is unchanged, its content is unchanged. */
import { type BigIntStats, fstatSync, statSync } from 'node:fs';
import type { Reader } from '#core/readers/shared/reader.ts';
import type { Environment } from '../settings.ts';
import { findLogFiles, kindOf, reasonFor } from './files.ts';

export interface Stamp {
  size: number;
  inode: string;
  /** The modification time (mtime), in nanoseconds since the epoch. */
  modified: string;
  /** The change time (ctime), in nanoseconds since the epoch. */
  changed: string;
  /** The stamp of a database's write-ahead log; empty for other files. */
  beside: string;
}

/** The resolution of file times: up to two seconds on some file systems. */
const STEP_MS = 2000;

const NS_IN_MS = 1_000_000n;

/**
 * The stamp of a log. For a database, the write-ahead log is included.
 *
 * @throws {Error} if the file cannot be examined.
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

/** The stamp of an open log that is not a database. */
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

/** The stamp as a text, for comparison. */
export function stampText({ size, inode, modified, changed, beside }: Stamp): string {
  return `${size} ${inode} ${modified} ${changed} ${beside}`;
}

/** Whether a file may be the same with bytes appended. */
export function mayHaveGrown(before: Stamp, now: Stamp): boolean {
  const isLater = BigInt(now.modified) >= BigInt(before.modified);
  return now.inode === before.inode && now.size >= before.size && isLater;
}

/** Whether a change after the file was read would have changed its stamp. */
export function isSettled(stamp: Stamp, readMs: number): boolean {
  return readMs - modifiedMs(stamp) > STEP_MS;
}

/** The modification time of a file, in milliseconds since the epoch. */
export function modifiedMs({ modified }: Stamp): number {
  return Number(BigInt(modified) / NS_IN_MS);
}

/** The logs of a tool with their stamps. */
export interface StampedLogs {
  reader: Reader;
  roots: string[];
  files: number;
  /** The stamps of readable logs by path. */
  stamps: Map<string, Stamp>;
  unreadable: string[];
}

/** @param claimed Roots of other tools, which are left out. Those of this tool are added. */
export function findStampedLogs(
  reader: Reader,
  env: Environment,
  claimed: Set<string>,
): StampedLogs {
  const { roots, files, unreadable } = findLogFiles(reader, env, { claimed });
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
