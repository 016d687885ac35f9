import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, dayBefore } from '#core/domain/counting/day.ts';
import { counted } from '../text/figures.ts';
import { type CountedLogs, rememberLogs, type Sighting } from './types.ts';
import type { LedgerRows } from './ledger-rows.ts';
import {
  rowsByName,
  type Row,
  dayOf,
  fuller,
  isAlike,
  monthOf,
  monthsNear,
  nameOf,
} from './row.ts';
import type { LoggedResponse } from '#core/schema/usage.ts';
import { Shard } from './shard.ts';
import type { Summary, ToolSummary } from './summary-file.ts';
import { toolOf } from './summary.ts';

export function isNews({ tools }: Summary, sighting: Sighting, today: string): boolean {
  const { tool, responses, seen } = sighting;
  if (responses.length > 0) return true;
  const known = tools[tool];
  if (known === undefined) return Object.keys(seen.logs).length > 0;
  return (
    rulesAfter(known, sighting) !== known.rules ||
    !isEqual(known, logsAfter(known, sighting, today))
  );
}

/**
 * Adds a sighting to the ledger.
 *
 * @returns Notes about responses that could not be recounted.
 */
export function take(
  summary: Summary,
  rows: LedgerRows,
  sighting: Sighting,
  today: string,
): string[] {
  if (!isNews(summary, sighting, today)) return [];
  const tool = toolOf(summary, sighting.tool);
  const logs = logsAfter(tool, sighting, today);
  const isRecount = isOtherRules(tool, sighting) && sighting.seen.isAll;
  const told = rowsByName(sighting.tool, sighting.responses);
  const near = monthsOf([...sighting.responses, ...sighting.known]);
  const known = rows.months(sighting.tool);
  const months = known.filter((month) => isRecount || near.has(month));
  const looked = new Map(months.map((month) => [month, lookAt(month)]));
  const kept = [...looked.values()].flatMap(({ shard, places }) => {
    return places.map((place) => shard.row(place));
  });
  const goneTo = isRecount ? lastGone(logs, sighting.wholeFrom) : null;
  const isLogged = nameCheck(sighting);
  const merged = merge(kept, told, { run: summary.run + 1, isRecount, goneTo, isLogged });
  for (const month of merged.changed) {
    const { shard, places } = looked.get(month) ?? { shard: Shard.of([]), places: [] };
    rows.set(sighting.tool, month, shard.replace(places, merged.months.get(month) ?? []));
  }
  const rules = rulesAfter(tool, sighting);
  if (rules !== tool.rules || !isEqual(tool, logs)) rows.isChanged = true;
  Object.assign(tool, { rules, logs, whole_from: sighting.wholeFrom });
  return staleNotes(sighting.tool, merged.stale);

  /** The responses of a month that may be affected: with other rules, all of them. */
  function lookAt(month: string): { shard: Shard; places: number[] } {
    const shard = rows.load(sighting.tool, month);
    return { shard, places: isRecount ? shard.places() : shard.near(told) };
  }
}

function isOtherRules({ rules }: ToolSummary, sighting: Sighting): boolean {
  return rules !== null && rules !== sighting.rules;
}

/** New rules take effect when everything was counted with them. */
function rulesAfter(tool: ToolSummary, sighting: Sighting): number {
  const { rules, months } = tool;
  const isNew = rules === null || Object.keys(months).length === 0;
  return isNew || sighting.seen.isAll ? sighting.rules : rules;
}

/** Unknown earlier logs may be gone. */
function logsAfter(tool: ToolSummary, { seen }: Sighting, today: string): CountedLogs {
  const isNew = Object.keys(tool.months).length === 0;
  return rememberLogs(tool.logs ?? { gone_to: isNew ? null : today, logs: {} }, seen);
}

/** The last day for which a log may be gone; null if unknown. */
export function lastGone({ gone_to }: CountedLogs, wholeFrom: string | null): string | null {
  if (wholeFrom === null) return null;
  const before = dayBefore(wholeFrom);
  return gone_to !== null && gone_to > before ? gone_to : before;
}

function isEqual({ logs: before }: ToolSummary, now: CountedLogs): boolean {
  return isDeepStrictEqual(before, now);
}

function staleNotes(tool: string, days: readonly string[]): string[] {
  if (days.length === 0) return [];
  const sorted = [...days].sort();
  const span = `from ${sorted[0]} to ${sorted.at(-1)}`;
  return [
    `${counted(days.length, 'response')} of ${tool} ${span} keep their earlier counts, because their logs are gone`,
  ];
}

interface MergeRules {
  run: number;
  /** Whether the rules have changed. New counts are then used even if they are lower. */
  isRecount: boolean;
  /** Whether a response is in the logs under a name. */
  isLogged: (name: string) => boolean;
  /** In a recount, kept responses of later days that are no longer in the logs are dropped. Null drops none. */
  goneTo: string | null;
}

interface Merged {
  months: Map<string, Row[]>;
  changed: Set<string>;
  /** The days of responses that could not be recounted. */
  stale: string[];
}

/** The months in which earlier versions of responses may be. */
function monthsOf(responses: readonly LoggedResponse[]): Set<string> {
  const days = new Set(responses.map(({ timestampMs }) => Math.floor(timestampMs / DAY_MS)));
  return new Set([...days].flatMap((day) => monthsNear({ at: day * DAY_MS })));
}

/** Checks names of known responses. They are computed when the first one is asked for, because that is rare. */
function nameCheck({ tool, known }: Sighting): (name: string) => boolean {
  let names: Set<string> | null = null;
  return (name) => (names ??= new Set(known.map(({ key }) => nameOf(tool, key)))).has(name);
}

/**
 * Merges the responses of a scan into kept ones.
 *
 * @param kept The kept responses that may be the same as scanned ones.
 * @param told The scanned responses by name. Emptied.
 */
function merge(kept: Iterable<Row>, told: Map<string, Row>, rules: MergeRules): Merged {
  const merged: Merged = { months: new Map(), changed: new Set(), stale: [] };
  const untold: Row[] = [];
  for (const row of kept) {
    const telling = told.get(row.name);
    if (telling === undefined) {
      untold.push(row);
      continue;
    }
    told.delete(row.name);
    replace(merged, row, rules.isRecount ? recounted(row, telling) : fuller(row, telling));
  }
  for (const row of renamed(merged, untold, told, rules)) keepUntold(merged, row, rules);
  for (const row of told.values()) {
    put(merged, { ...row, run: rules.run });
    merged.changed.add(monthOf(row));
  }
  return merged;
}

/** The scanned version with the run of the kept one. Returns the kept row itself if they are equal. */
function recounted(row: Row, telling: Row): Row {
  const isSame = row.name === telling.name && isAlike(row, telling);
  return isSame ? row : { ...telling, run: row.run };
}

function replace(merged: Merged, before: Row, row: Row): void {
  put(merged, row);
  if (row === before) return;
  merged.changed.add(monthOf(before));
  merged.changed.add(monthOf(row));
}

function put({ months }: Merged, row: Row): void {
  const month = monthOf(row);
  const rows = months.get(month);
  if (rows) rows.push(row);
  else months.set(month, [row]);
}

/**
 * Renames kept responses whose logs were copied or moved, so that they have another name now.
 *
 * @returns The kept responses that are not in the scan.
 */
function renamed(
  merged: Merged,
  untold: readonly Row[],
  told: Map<string, Row>,
  { isRecount, isLogged }: MergeRules,
): readonly Row[] {
  if (told.size === 0 || untold.length === 0) return untold;
  const tellings = new Map<number, Row[]>();
  for (const row of told.values()) {
    const same = tellings.get(row.at);
    if (same) same.push(row);
    else tellings.set(row.at, [row]);
  }
  return untold.filter((row) => {
    const same = tellings.get(row.at);
    // With other rules, the same response may have other counts and another name.
    const at = same?.findIndex((telling) => isRecount || isAlike(row, telling)) ?? -1;
    const telling = same?.[at];
    if (telling === undefined || isLogged(row.name)) return true;
    same?.splice(at, 1);
    told.delete(telling.name);
    replace(merged, row, { ...telling, run: row.run });
    return false;
  });
}

function keepUntold(merged: Merged, row: Row, { isRecount, goneTo }: MergeRules): void {
  const day = isRecount ? dayOf(row) : null;
  if (day !== null && goneTo !== null && day > goneTo) {
    merged.changed.add(monthOf(row));
    return;
  }
  if (day !== null) merged.stale.push(day);
  put(merged, row);
}
