/** Work that is divided into steps, between which a caller can do other work. */

/** How many items are grouped in a step, which takes some milliseconds. */
const STEP = 10_000;

/** Like `groupBy()`, in steps. */
export function* groupInSteps<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Generator<undefined, Map<Key, Item[]>> {
  const groups = new Map<Key, Item[]>();
  for (const [at, item] of items.entries()) {
    if (at % STEP === STEP - 1) yield;
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
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
