/** Logs that are not counted, by tool or by folder. */
import { sep } from 'node:path';
import { readers } from '#core/readers/readers.ts';
import { configured } from '../config.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Environment } from '../settings.ts';
import { realPath } from '../state/atomic-file.ts';
import type { StampedLogs } from './stamp.ts';

/** @throws {Failure} `usage` if the setting names an unknown tool. */
export function excludedTools(environment: Environment): readonly string[] {
  const { values, place } = configured(environment, 'exclude-tools');
  refuseUnknownTools(place, values);
  return values;
}

/** @throws {Failure} `usage`, whose message begins with the place, if there is no such tool. */
export function refuseUnknownTools(place: string, tools: readonly string[]): void {
  const known = readers.map(({ tool }) => tool);
  const unknown = tools.find((tool) => !known.includes(tool));
  if (unknown === undefined) return;
  const message = `${place}: there is no tool "${unknown}"`;
  throw new Failure(EXIT.usage, message, `The tools are ${known.join(', ')}.`);
}

/** The counts without those of excluded tools. Needed wherever counts are from the ledger, which keeps all tools. */
export function countedOnly<Count extends { tool: string }>(
  environment: Environment,
  counts: readonly Count[],
): Count[] {
  const excluded = excludedTools(environment);
  return counts.filter(({ tool }) => !excluded.includes(tool));
}

export function excludedFolders(environment: Environment): readonly string[] {
  return configured(environment, 'exclude-folders').values;
}

/** Separates the logs in excluded folders, and everything below, from the others. */
export function withoutFolders(
  logs: StampedLogs,
  folders: readonly string[],
): { kept: StampedLogs; excluded: StampedLogs } {
  if (folders.length === 0) return { kept: logs, excluded: { ...logs, stamps: new Map() } };
  const places = folders.flatMap((folder) => [folder, realPath(folder)]).map(comparable);
  const isExcluded = (path: string) => {
    const named = [path, realPath(path)].map(comparable);
    return named.some((name) => places.some((place) => isWithin(name, place)));
  };
  const [out, kept] = partition([...logs.stamps], ([path]) => isExcluded(path));
  // Each of these texts begins with a path.
  const [, unreadable] = partition(logs.unreadable, (text) => {
    return places.some((place) => isWithin(comparable(text), place));
  });
  return {
    kept: { ...logs, files: logs.files - out.length, stamps: new Map(kept), unreadable },
    excluded: { ...logs, files: out.length, stamps: new Map(out), unreadable: [] },
  };
}

/** Windows and macOS ignore case in paths. */
function comparable(path: string): string {
  return ['win32', 'darwin'].includes(process.platform) ? path.toLowerCase() : path;
}

function isWithin(path: string, folder: string): boolean {
  const start = folder.endsWith(sep) ? folder : `${folder}${sep}`;
  return path === folder || path.startsWith(start) || path.startsWith(`${folder}: `);
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean) {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))] as const;
}
