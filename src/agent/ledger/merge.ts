/** What a sighting changes in the responses of a tool. */
import { type Row, dayOf, fuller, isAlike, monthOf, monthsNear } from './row.ts';

interface MergeRules {
  run: number;
  /** Whether other rules than before count: what is told then holds even if it is less. */
  isRecount: boolean;
  /** With a recount: kept responses of later days that are not told are dropped; null drops none. */
  goneTo: string | null;
}

interface Merged {
  months: Map<string, Row[]>;
  changed: Set<string>;
  /** The days of responses that a recount did not reach. */
  stale: string[];
}

/** The months in which told responses may be known already. */
export function monthsOf(told: ReadonlyMap<string, Row>): Set<string> {
  return new Set(Array.from(told.values(), monthsNear).flat());
}

/**
 * Merges told responses into kept ones.
 *
 * @param kept The kept responses that told ones may be: all, if nothing less is known of them.
 * @param told What is told, by name; emptied.
 */
export function merge(kept: Iterable<Row>, told: Map<string, Row>, rules: MergeRules): Merged {
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

/** The telling, as the response that is known; the kept row itself if they are the same. */
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
 * Gives kept responses the names under which they are told after their logs were copied or moved.
 *
 * @returns The kept responses that nobody tells.
 */
function renamed(
  merged: Merged,
  untold: readonly Row[],
  told: Map<string, Row>,
  { isRecount }: MergeRules,
): readonly Row[] {
  if (told.size === 0) return untold;
  const tellings = new Map<number, Row[]>();
  for (const row of told.values()) {
    const same = tellings.get(row.at);
    if (same) same.push(row);
    else tellings.set(row.at, [row]);
  }
  return untold.filter((row) => {
    const same = tellings.get(row.at);
    // Other rules may count the same response differently, and know it by another name.
    const at = same?.findIndex((telling) => isRecount || isAlike(row, telling)) ?? -1;
    const telling = same?.[at];
    if (telling === undefined) return true;
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
