/** The operators on a board, read from the store without anything that publications keep. */
import { type SourceUsage, partsOf, toolsOf, trustOf } from '#core/domain/board/breakdown.ts';
import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { readLoggedSnapshot } from '#core/domain/log/logged-statement.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { Store } from '#db/store.ts';
import { countedUsage } from '../board/counted-usage.ts';

/** An operator with tokens on or before the day of the board. */
export interface ReferenceMember {
  id: number;
  codename: string;
  display_name: string | null;
  cohort: string | null;
  in_figures: boolean;
  devices: number;
  usage: readonly DayUsage[];
  parts: Readonly<Record<WindowName, readonly SourceUsage[]>>;
  tools: readonly string[];
  isSelfReported: boolean;
  /** The days with signed tokens, and those that accepted snapshots state. */
  stated: ReadonlySet<number>;
}

/** All members, by codename. */
export function readMembers(store: Store, as_of: string): ReferenceMember[] {
  const members = store.operators.seen().map((operator): ReferenceMember => {
    const { id, public_name: codename } = operator;
    const usage = countedUsage(store, id);
    const parts = partsOf(usage, dayNumber(as_of));
    return {
      id,
      codename,
      display_name: shownDisplayName(operator),
      cohort: shownCohort(operator),
      in_figures: operator.data_opt_out === 0,
      devices: store.devices.keyCounts(id)?.active ?? 0,
      usage,
      parts,
      tools: toolsOf(parts.all_time),
      isSelfReported: trustOf(parts.all_time) !== 'signed',
      stated: statedDays(store, id, usage),
    };
  });
  return members
    .filter(({ tools }) => tools.length > 0)
    .sort((a, b) => (a.codename < b.codename ? -1 : 1));
}

function statedDays(store: Store, operator_id: number, usage: readonly DayUsage[]): Set<number> {
  const signed = usage.filter((one) => one.source.trust === 'signed' && totalOf(one) > 0);
  const days = new Set(signed.map(({ day }) => day));
  const { nextAccepted } = store.submissions;
  for (
    let row = nextAccepted(operator_id, 0);
    row;
    row = nextAccepted(operator_id, row.log_index)
  ) {
    const { covers } = readLoggedSnapshot(row.payload);
    if (!covers) continue;
    for (let day = dayNumber(covers.from); day <= dayNumber(covers.to); day += 1) days.add(day);
  }
  return days;
}

/** The share of stated days in a window, by visiting each of its days. Null if no rank requires some. */
export function statedShare(
  { stated }: ReferenceMember,
  window: Record<'first' | 'last', number>,
  required: number | undefined,
): number | null {
  if (!required) return null;
  let [all, found] = [0, 0];
  for (let day = Math.min(...stated); day <= Math.max(...stated); day += 1) {
    if (day < window.first || day > window.last) continue;
    all += 1;
    if (stated.has(day)) found += 1;
  }
  return all === 0 ? 0 : found / all;
}
