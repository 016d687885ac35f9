/** Work that is divided into steps, between which a caller can do other work. */
import { groupBy } from './group.ts';

/** How many items are grouped in a step, which takes some milliseconds. */
const STEP = 10_000;

/** Like `groupBy()`, in steps. */
export function* groupInSteps<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Generator<undefined, Map<Key, Item[]>> {
  const groups = new Map<Key, Item[]>();
  for (let from = 0; from < items.length; from += STEP) {
    if (from > 0) yield;
    groupBy(items.slice(from, from + STEP), keyOf, groups);
  }
  return groups;
}

/** Runs all steps, one after the other. */
export function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
