/** The operators on a board, read from the store without anything that publications keep. */
import { type SourceUsage, partsOf, toolsOf, trustOf } from '#core/domain/board/breakdown.ts';
import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
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
    };
  });
  return members
    .filter(({ tools }) => tools.length > 0)
    .sort((a, b) => (a.codename < b.codename ? -1 : 1));
}
