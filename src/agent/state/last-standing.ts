/**
 * The rank in the last response of a board, for status lines, which never ask one. This module must not import
 * schemas, which take longer to load than a status line may take.
 *
 * @module
 */
import { join } from 'node:path';
import { orNull } from '../failure.ts';
import { listFolder, readText, removeWhole, writePrivate } from './atomic-file.ts';

export interface LastStanding {
  board: string;
  /** When the board was asked, in milliseconds since the epoch. */
  asked_ms: number;
  window: string;
  /** The tool whose ranking it is; null for all tools together. */
  tool: string | null;
  /** Null if not ranked. */
  rank: number | null;
  total: number;
  /** Places climbed since the day before; negative if lost, null if unknown. */
  change: number | null;
}

const FILE = 'last-standing.json';

/** Saves it. Errors are ignored, because only status lines need it. */
export function keepLastStanding(folder: string, standing: LastStanding): void {
  orNull(() => writePrivate(join(folder, FILE), JSON.stringify(standing)));
}

export function forgetLastStanding(folder: string): void {
  removeWhole(join(folder, FILE));
}

/**
 * The newest of all boards; null if there is none. Files that are not readable are ignored.
 *
 * @param boards The folder with a folder for each board.
 */
export function newestStanding(boards: string): LastStanding | null {
  const found = listFolder(boards).flatMap((name) => readStanding(join(boards, name, FILE)) ?? []);
  return found.reduce<LastStanding | null>((newest, one) => {
    return newest === null || one.asked_ms > newest.asked_ms ? one : newest;
  }, null);
}

function readStanding(path: string): LastStanding | null {
  try {
    const value = JSON.parse(readText(path) ?? 'null') as Record<
      keyof LastStanding,
      unknown
    > | null;
    return isStanding(value) ? value : null;
  } catch {
    return null;
  }
}

function isStanding(value: Record<keyof LastStanding, unknown> | null): value is LastStanding {
  if (value === null || typeof value !== 'object') return false;
  const { board, asked_ms, window, tool, rank, total, change } = value;
  const areTexts = [board, window, tool ?? ''].every((text) => typeof text === 'string');
  const areNumbers = [asked_ms, total, rank ?? 0, change ?? 0].every(Number.isFinite);
  return areTexts && areNumbers;
}
