/** An account's days as the plausibility checks read them. */
import type { StatedCounts } from '#db/checks.ts';
import type { Store } from '#db/store.ts';
import { addPillars } from '#core/domain/counting/bucket.ts';
import { dayAndTool } from '#core/domain/counting/counting.ts';
import { type DayVector, type KnownDay, dayVector } from '#core/domain/checks/equal-days.ts';
import { type ToolDay, yieldCounts } from '#core/domain/checks/finding.ts';
import { groupBy } from '#core/domain/text/group.ts';

/** A day of a tool, and the log indexes of the submissions that state it, new ones separately. */
export interface AccountDay extends ToolDay {
  entries: number[];
  fresh: number[];
}

export interface CheckedAccount {
  operator_id: number;
  log_index: number;
  days: readonly AccountDay[];
}

type ComparedDay = Omit<KnownDay, 'earlier'>;

export interface NewDays {
  /** The log index after which submissions and restorations count as new. */
  after: number;
  days?: ReadonlySet<string>;
}

/** Reads everything that counts for an account; nothing if it was deleted. */
export function readAccount(
  store: Store,
  operator_id: number,
  { after, days = new Set() }: NewDays,
): CheckedAccount {
  return store.snapshot(() => {
    const { log_index } = store.operators.byId(operator_id) ?? { log_index: 0 };
    const byTool = new Map<string, AccountDay>();
    const restored = store.moderation.restored(operator_id, after);
    for (const row of store.checks.days(operator_id)) {
      const isNew = row.log_index > after || restored.has(row.log_index) || days.has(row.day);
      addStated(byTool, row, isNew);
    }
    return { operator_id, log_index, days: [...byTool.values()] };
  });
}

function addStated(byTool: Map<string, AccountDay>, row: StatedCounts, isNew: boolean): void {
  const { day, tool, log_index, silent_input, silent_output, ...pillars } = row;
  const name = dayAndTool(row);
  const known = byTool.get(name);
  if (!known) {
    const fresh = isNew ? [log_index] : [];
    const silent = { input: silent_input, output: silent_output };
    byTool.set(name, { day, tool, ...pillars, silent, isNew, entries: [log_index], fresh });
    return;
  }
  addPillars(known, pillars);
  known.silent.input += silent_input;
  known.silent.output += silent_output;
  known.isNew ||= isNew;
  known.entries.push(log_index);
  if (isNew) known.fresh.push(log_index);
}

/** A day in the form in which accounts are compared. */
export function comparedDay(day: AccountDay): ComparedDay {
  const since = Math.max(...day.entries);
  return { day: day.day, tool: day.tool, ...yieldCounts(day), since };
}

/** The vectors of an account's new days, with their sources. */
export function vectorsOf({ days }: CheckedAccount): (ComparedDay & DayVector)[] {
  return days
    .filter(({ isNew }) => isNew)
    .flatMap((day) => {
      const compared = comparedDay(day);
      const vector = dayVector(compared);
      return vector ? [{ ...compared, ...vector }] : [];
    });
}

/** An account's days, each with everything that was stated about it before. */
export function knownDays(store: Store, { operator_id, days }: CheckedAccount): KnownDay[] {
  const byPlace = groupBy(store.checks.vectors(operator_id), ({ place }) => place);
  return days.map((day) => {
    const compared = comparedDay(day);
    const place = dayVector(compared)?.place;
    const earlier = place === undefined ? undefined : byPlace.get(place);
    return { ...compared, earlier: earlier ?? [] };
  });
}
