/** What one sighting does to the ledger. */
import { dayBefore } from '#core/domain/counting/day.ts';
import { type CountedLogs, rememberLogs } from '../state/remember-logs.ts';
import { counted } from '../text/figures.ts';
import type { LedgerRows } from './ledger-rows.ts';
import { merge, monthsOf } from './merge.ts';
import { rowsByName } from './row.ts';
import { Shard } from './shard.ts';
import { type Summary, type ToolSummary, toolOf } from './summary.ts';
import type { Sighting } from './types.ts';

/** Whether a sighting may change the ledger. */
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
 * Takes a sighting into the ledger.
 *
 * @returns What could not be recounted.
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
  const near = monthsOf(told);
  const known = rows.months(sighting.tool);
  const months = known.filter((month) => isRecount || near.has(month));
  const looked = new Map(months.map((month) => [month, lookAt(month)]));
  const kept = [...looked.values()].flatMap(({ shard, places }) => {
    return places.map((place) => shard.row(place));
  });
  const goneTo = isRecount ? lastGone(logs, sighting.wholeFrom) : null;
  const merged = merge(kept, told, { run: summary.run + 1, isRecount, goneTo });
  for (const month of merged.changed) {
    const { shard, places } = looked.get(month) ?? { shard: Shard.of([]), places: [] };
    rows.set(sighting.tool, month, shard.replace(places, merged.months.get(month) ?? []));
  }
  const rules = rulesAfter(tool, sighting);
  if (rules !== tool.rules || !isEqual(tool, logs)) rows.isChanged = true;
  Object.assign(tool, { rules, logs, whole_from: sighting.wholeFrom });
  return staleNotes(sighting.tool, merged.stale);

  /** What a telling may concern of a month: with other rules everything. */
  function lookAt(month: string): { shard: Shard; places: number[] } {
    const shard = rows.load(sighting.tool, month);
    return { shard, places: isRecount ? shard.places() : shard.near(told) };
  }
}

function isOtherRules({ rules }: ToolSummary, sighting: Sighting): boolean {
  return rules !== null && rules !== sighting.rules;
}

/** Other rules hold once everything was counted by them. */
function rulesAfter(tool: ToolSummary, sighting: Sighting): number {
  const { rules, months } = tool;
  const isNew = rules === null || Object.keys(months).length === 0;
  return isNew || sighting.seen.isAll ? sighting.rules : rules;
}

/** What is not known of earlier logs may be gone. */
function logsAfter(tool: ToolSummary, { seen }: Sighting, today: string): CountedLogs {
  const isNew = Object.keys(tool.months).length === 0;
  return rememberLogs(tool.logs ?? { gone_to: isNew ? null : today, logs: {} }, seen);
}

/** The last day of which a log may be gone; null if that is not known. */
export function lastGone({ gone_to }: CountedLogs, wholeFrom: string | null): string | null {
  if (wholeFrom === null) return null;
  const before = dayBefore(wholeFrom);
  return gone_to !== null && gone_to > before ? gone_to : before;
}

function isEqual({ logs: before }: ToolSummary, { gone_to, logs }: CountedLogs): boolean {
  if (before === null || before.gone_to !== gone_to) return false;
  const names = Object.keys(logs);
  if (names.length !== Object.keys(before.logs).length) return false;
  return names.every((name) => {
    const [day, size] = logs[name] ?? [];
    const [dayBefore, sizeBefore] = before.logs[name] ?? [];
    return day === dayBefore && size === sizeBefore;
  });
}

function staleNotes(tool: string, days: readonly string[]): string[] {
  if (days.length === 0) return [];
  const sorted = [...days].sort();
  const span = `from ${sorted[0]} to ${sorted.at(-1)}`;
  return [
    `${counted(days.length, 'response')} of ${tool} ${span} keep the counts of earlier rules because their logs are gone`,
  ];
}
