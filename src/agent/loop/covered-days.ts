/** Which days a submission can state. */
import { FIRST_DAY, dayAfter, dayBefore, utcDay } from '#core/domain/counting/day.ts';
import type { Covers } from '#core/schema/snapshot.ts';
import { MAX_TOOLS } from '#core/schema/usage.ts';
import type { Outbox } from '../state/outbox.ts';

/** The current day, and what this device can state about days before it. */
export interface Stating {
  today: string;
  /** The last day of which the board lacks sent counts, which a statement would send again; null if none. */
  lackingTo: string | null;
}

/**
 * The days that can be stated: those that are over, were not stated before, and whose logs cannot have been deleted. Days
 * that another device may state, as their logs were copied, are left out.
 */
export function coversDue(
  outbox: Outbox,
  wholeFrom: ReadonlyMap<string, string>,
  { today, lackingTo }: Stating,
): Covers | null {
  const [whole] = [...wholeFrom.values()].sort();
  if (whole === undefined) return null;
  const baseline = outbox.baseline();
  const starts = [
    FIRST_DAY,
    whole,
    outbox.nextToState() ?? FIRST_DAY,
    baseline ? dayAfter(utcDay(Date.parse(baseline.at))) : FIRST_DAY,
    lackingTo === null ? FIRST_DAY : dayAfter(lackingTo),
  ];
  const from = starts.sort().at(-1) ?? FIRST_DAY;
  const to = dayBefore(today);
  const tools = [...wholeFrom].filter(([, first]) => first <= from).map(([tool]) => tool);
  return from > to ? null : { tools: tools.sort().slice(0, MAX_TOOLS), from, to };
}
