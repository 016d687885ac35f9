/** What a board has of this device, as an earlier version remembered it, and which part of it logs may lack. */
import { groupBy } from '#core/domain/text/group.ts';
import { type CountedLogs, rememberLogs } from '../state/remember-logs.ts';
import { counted } from '../text/figures.ts';
import type { Summary } from './summary.ts';
import { lastGone } from './take.ts';
import type { Stated } from './types.ts';

export interface SentCounts {
  board: string;
  device_id: string;
  stated: readonly Stated[];
  rules: Readonly<Record<string, number>>;
  /** The logs that were counted, by tool; null if that is not known. */
  logs: Readonly<Record<string, CountedLogs>> | null;
}

/**
 * The counts that may be missing from the logs. Days from which no log is gone are left to corrections
 * if other rules count them now.
 */
export function adoptable(summary: Summary, sent: SentCounts): Stated[] {
  const byTool = groupBy(sent.stated, ({ tool }) => tool);
  return [...byTool].flatMap(([tool, stated]) => {
    const from = correctedFrom(summary, sent, tool);
    return from === null ? stated : stated.filter(({ day }) => day <= from);
  });
}

/** The day after which other rules correct a tool's counts; null if nothing is corrected. */
function correctedFrom({ tools, adopted }: Summary, sent: SentCounts, tool: string): string | null {
  const isAgain = adopted.includes(adoptedName(sent));
  const now = tools[tool];
  const before = sent.rules[tool];
  const isSame = before === undefined || now?.rules === before;
  if (isSame || !now?.logs) return null;
  const logs = sent.logs?.[tool] ?? (isAgain ? now.logs : null);
  return logs && lastGone(sinceThen(logs, now.logs), now.whole_from);
}

function sinceThen(before: CountedLogs, { logs }: CountedLogs): CountedLogs {
  return rememberLogs(before, { logs, isAll: true });
}

export function adoptedName({ board, device_id }: Pick<SentCounts, 'board' | 'device_id'>): string {
  return `${board}\n${device_id}`;
}

export function carriedNotes(board: string, added: readonly { day: string }[]): string[] {
  if (added.length === 0) return [];
  const days = added.map(({ day }) => day).sort();
  const span = `from ${days[0]} to ${days.at(-1)}`;
  const what = counted(added.length, 'daily count');
  return [`${what} ${span} on ${board} are no longer in the logs; the ledger keeps them`];
}
