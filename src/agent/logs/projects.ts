/**
 * The tokens of each project, for reports that ask for them. Logs of lines say in which folder a session worked. The
 * folders are read again for each report, and never saved or sent.
 *
 * @module
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { addPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { FileUsage } from '#core/readers/shared/reader.ts';
import type { LoggedResponse, Pillars } from '#core/schema/usage.ts';
import { type Environment, cacheFolder } from '../settings.ts';
import { kindOf } from './files.ts';
import { LogIndex } from './log-index.ts';
import { LogReader, isCurrent } from './read-log.ts';
import type { StampedLogs } from './stamp.ts';

export interface Project {
  name: string;
  counts: Pillars;
  days: number;
  /** The last day with tokens. */
  last: string;
}

export interface ProjectCounts {
  /** Most tokens first. */
  projects: Project[];
  /** The tools whose logs name no folder, or not in all of them. */
  unnamed: string[];
}

/** The folder of a session is in one of the first lines, which can be long. */
const HEAD_BYTES = 256 << 10;
const FOLDER = /"cwd"\s*:\s*("(?:[^"\\]|\\.)+")/;

/**
 * The tokens of each project from a day on. A response that a tool copied to another project counts in both.
 *
 * @param since The first day; null for all.
 */
export async function countProjects(
  env: Environment,
  logs: readonly StampedLogs[],
  since: string | null,
): Promise<ProjectCounts> {
  const found = new Map<string, LoggedResponse[]>();
  const unnamed: string[] = [];
  for (const one of logs) {
    const byFolder = groupBy(one.stamps.keys(), folderOf);
    if (byFolder.has(null)) unnamed.push(one.reader.tool);
    const usageOf = usageFrom(env, one);
    for (const [folder, paths] of byFolder) {
      if (folder === null) continue;
      const usages: FileUsage[] = [];
      for (const path of paths) usages.push(...(await usageOf(path)));
      const responses = one.reader.merge(usages);
      found.set(folder, [...(found.get(folder) ?? []), ...responses]);
    }
  }
  const named = distinctNames([...found.keys()]);
  const projects = Array.from(found, ([folder, responses]) => {
    return projectOf(named.get(folder) ?? folder, responses, since);
  });
  const used = projects.filter((project) => project !== null);
  return { projects: used.sort((a, b) => totalOf(b.counts) - totalOf(a.counts)), unnamed };
}

/** The folder that a log names; null if it names none. */
function folderOf(path: string): string | null {
  if (kindOf(path) !== 'lines') return null;
  const [, quoted] = FOLDER.exec(headOf(path)) ?? [];
  try {
    return quoted === undefined ? null : (JSON.parse(quoted) as string);
  } catch {
    return null;
  }
}

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const bytes = Buffer.allocUnsafe(HEAD_BYTES);
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** The usage of a log by its path, from the index of the last scan if possible; empty if it cannot be read. */
function usageFrom(env: Environment, { reader, stamps }: StampedLogs) {
  const { entries } = new LogIndex(join(cacheFolder(env), 'logs')).logs(reader);
  const known = new Map(entries.map((entry) => [entry.path, entry]));
  const log = new LogReader(reader, () => undefined);
  return async (path: string): Promise<FileUsage[]> => {
    const [entry, stamp] = [known.get(path), stamps.get(path)];
    if (entry && stamp && isCurrent(entry, stamp)) return [entry.usage];
    const read = await log.read(path).catch(() => null);
    return read ? [read.usage] : [];
  };
}

function projectOf(
  name: string,
  responses: readonly LoggedResponse[],
  since: string | null,
): Project | null {
  const counts: Pillars = { input: 0, output: 0, cache_write: null, cache_read: null };
  const days = new Set<string>();
  for (const response of responses) {
    const day = utcDay(response.timestampMs);
    if (since !== null && day < since) continue;
    addPillars(counts, response);
    days.add(day);
  }
  const last = [...days].sort().at(-1);
  return last === undefined || totalOf(counts) === 0
    ? null
    : { name, counts, days: days.size, last };
}

/** The last part of each path, with as many of its folders as distinguish it from the others. */
export function distinctNames(paths: readonly string[]): Map<string, string> {
  const partsOf = (path: string) => path.split(/[/\\]/).filter(Boolean);
  const nameOf = (path: string, length: number) => partsOf(path).slice(-length).join('/') || path;
  const isAlone = (path: string, length: number) => {
    return paths.every((other) => other === path || nameOf(other, length) !== nameOf(path, length));
  };
  return new Map(
    paths.map((path) => {
      let length = 1;
      while (length < partsOf(path).length && !isAlone(path, length)) length += 1;
      return [path, nameOf(path, length)];
    }),
  );
}
