/** An account's days as the plausibility checks read them. */
import type { StatedDay } from '#db/checks.ts';
import type { Store } from '#db/store.ts';
import { addPillars } from '#core/domain/bucket.ts';
import { type DayVector, type KnownDay, dayVector } from '#core/domain/equal-days.ts';
import type { ToolDay } from '#core/domain/finding.ts';

/** A day with a tool, and the submissions that state it, by their places in the log; the new ones apart. */
export interface AccountDay extends ToolDay {
  entries: number[];
  fresh: number[];
}

export interface CheckedAccount {
  operator_id: number;
  /** The operator's last change that is in it. */
  log_index: number;
  days: readonly AccountDay[];
}

/** What of an account is to be judged. */
export interface NewDays {
  /** What was submitted behind a place in the log. */
  after: number;
  /** And all of some days. */
  days?: ReadonlySet<string>;
}

/** All that counts for an account; nothing once it was deleted. */
export function readAccount(
  store: Store,
  operator_id: number,
  { after, days = new Set() }: NewDays,
): CheckedAccount {
  return store.snapshot(() => {
    const { log_index } = store.operators.byId(operator_id) ?? { log_index: 0 };
    const byTool = new Map<string, AccountDay>();
    for (const row of store.checks.days(operator_id)) {
      addStated(byTool, row, row[2] > after || days.has(row[0]));
    }
    return { operator_id, log_index, days: [...byTool.values()] };
  });
}

function addStated(byTool: Map<string, AccountDay>, row: StatedDay, isNew: boolean): void {
  const [day, tool, entry, input, output, cache_write, cache_read] = row;
  const name = `${day}\n${tool}`;
  const pillars = { input, output, cache_write, cache_read };
  const known = byTool.get(name);
  if (!known) {
    const fresh = isNew ? [entry] : [];
    byTool.set(name, { day, tool, ...pillars, isNew, entries: [entry], fresh });
    return;
  }
  addPillars(known, pillars);
  known.isNew ||= isNew;
  known.entries.push(entry);
  if (isNew) known.fresh.push(entry);
}

/** The vectors of an account's new days, with the entry that brought each. */
export function vectorsOf({ days }: CheckedAccount): (DayVector & { log_index: number })[] {
  return days
    .filter(({ isNew }) => isNew)
    .flatMap((day) => {
      const vector = dayVector(day);
      return vector ? [{ ...vector, log_index: Math.max(...day.entries) }] : [];
    });
}

/** An account's days with the entry since which each holds its numbers. */
export function knownDays(store: Store, { operator_id, days }: CheckedAccount): KnownDay[] {
  const since = store.checks.since(operator_id);
  return days.map((day) => {
    const place = dayVector(day)?.place;
    const known = place === undefined ? undefined : since.get(place);
    return { ...day, since: known ?? Math.max(...day.entries) };
  });
}
