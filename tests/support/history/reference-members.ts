/** The operators on a board, read from the store without anything that publications keep. */
import { type SourceUsage, partsOf, toolsOf, trustOf } from '#core/domain/board/breakdown.ts';
import { shownCohort, shownDisplayName } from '#core/domain/board/visibility.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { BucketSource, DayUsage } from '#core/domain/metrics/day-series.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { Store } from '#db/store.ts';

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
  const devices = new Map(store.devices.signing());
  const unsigned = new Set(store.devices.selfReporters());
  const members = store.operators.seen().map((operator): ReferenceMember => {
    const { id, public_name: codename } = operator;
    const usage = usageOf(store, id, unsigned);
    const parts = partsOf(usage, dayNumber(as_of));
    return {
      id,
      codename,
      display_name: shownDisplayName(operator),
      cohort: shownCohort(operator),
      in_figures: operator.data_opt_out === 0,
      devices: devices.get(id) ?? 0,
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

function usageOf(store: Store, id: number, unsigned: ReadonlySet<number>): DayUsage[] {
  // Parts are added up by source, and sources are compared as objects.
  const sources = new Map<string, BucketSource>();
  return store.buckets.counting(id).map((row) => {
    const [day, tool, provider, model, input, output, cache_write, cache_read, device_id] = row;
    const trust = unsigned.has(device_id) ? 'self_reported' : 'signed';
    const made: BucketSource = { tool, provider, model, trust };
    const key = JSON.stringify(made);
    const source = sources.get(key) ?? made;
    sources.set(key, source);
    return { day: dayNumber(day), source, input, output, cache_write, cache_read };
  });
}
