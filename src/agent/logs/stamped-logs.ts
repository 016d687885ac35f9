/** The logs of a tool as they look from outside, without opening one. */
import type { Reader } from '#core/readers/reader.ts';
import type { Environment } from '../settings.ts';
import { findLogFiles, reasonFor } from './files.ts';
import { type Stamp, stampOf } from './stamp.ts';

export interface StampedLogs {
  reader: Reader;
  roots: string[];
  /** How many logs were found. */
  files: number;
  /** The stamps of those that can be looked at, by their path. */
  stamps: Map<string, Stamp>;
  /** What could not be looked at, with the reason. */
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
