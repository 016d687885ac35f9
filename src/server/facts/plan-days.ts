/** The stored days: places and values by day, and ranks by month. */
import { GROUP_BITS } from '#db/replica-out.ts';
import type { Store } from '#db/store.ts';
import type { PlannedUnits, Steps } from './planned-units.ts';

type DayStates = ReadonlyMap<string, string>;

interface DayPlan {
  store: Pick<Store, 'replicaOut'>;
  planned: PlannedUnits;
  /** The state of each day in the index before. */
  before: DayStates;
  /** Whether accounts may have been deleted since. */
  hasEnded: boolean;
}

/** A stored day, and whether it was not stored before, or was stored again. */
interface Day {
  day: string;
  thinned: 0 | 1;
  isNew: boolean;
}

/**
 * Plans the stored days. They change when operators are removed from them, when their values are deleted, and while a
 * day that was stored too early is stored again. Whole months are looked at, because ranks are kept by month.
 *
 * @returns The state of each stored day.
 */
export function* planDays(plan: DayPlan): Steps<DayStates> {
  const states = new Map<string, string>();
  const months = Map.groupBy(plan.store.replicaOut.days(), ({ day }) => day.slice(0, 7));
  const looked = new Map<string, Day[]>();
  for (const [month, rows] of months) {
    let isChanged = plan.hasEnded;
    const days = rows.map(({ day, log_index, thinned }) => {
      const before = plan.before.get(day);
      const state = `${log_index} ${thinned}`;
      states.set(day, state);
      if (before !== state) isChanged = true;
      return { day, thinned, isNew: before?.split(' ')[0] !== String(log_index) };
    });
    if (isChanged) looked.set(month, days);
  }
  const seen = new Set<string>();
  for (const [month, days] of looked) yield* planMonth(plan, month, days, seen);
  for (const unit of plan.planned.units.keys()) {
    const month = monthOf(unit);
    if (month === null || seen.has(unit)) continue;
    if (looked.has(month) || !months.has(month)) plan.planned.forget(unit);
  }
  return states;
}

const KINDS = ['days', 'ranks', 'values'];

/** The month of a unit of stored days; null for other units. */
function monthOf(unit: string): string | null {
  const [kind = '', day = ''] = unit.split('/');
  return KINDS.includes(kind) ? day.slice(0, 7) : null;
}

/** @param seen Units that there are, to which those of this month are added. */
function* planMonth(
  { store: { replicaOut }, planned }: DayPlan,
  month: string,
  days: readonly Day[],
  seen: Set<string>,
): Steps {
  const ranks = new Map<number, number>();
  for (const { day, thinned, isNew } of days) {
    const marks = replicaOut.marks(day);
    for (const [group, chunks] of Map.groupBy(marks, ({ chunk }) => chunk >> GROUP_BITS)) {
      const unit = `days/${day}/${group}`;
      seen.add(unit);
      const members = chunks.reduce((sum, chunk) => sum + chunk.members, 0);
      yield planned.mark(unit, { members, isNew }, () => replicaOut.places(day, group));
    }
    for (const { chunk, members, ranked, has_values } of marks) {
      if (ranked > 0) ranks.set(chunk, (ranks.get(chunk) ?? 0) + ranked);
      if (has_values === 0 || thinned === 1) continue;
      const unit = `values/${day}/${chunk}`;
      seen.add(unit);
      yield planned.mark(unit, { members, isNew }, () => replicaOut.values(day, chunk));
    }
  }
  const isNew = days.some((day) => day.isNew);
  for (const [chunk, members] of ranks) {
    const unit = `ranks/${month}/${chunk}`;
    seen.add(unit);
    yield planned.mark(unit, { members, isNew }, () => replicaOut.ranks(month, chunk));
  }
}
