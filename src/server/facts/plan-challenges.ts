/** Final standings, in pages. Their rows change only when an operator is hidden, shown again or deleted. */
import type { Store } from '#db/store.ts';
import type { PlannedUnits, Steps } from './planned-units.ts';

interface ChallengesPlan {
  store: Pick<Store, 'replicaOut'>;
  planned: PlannedUnits;
  /** Operators whose places may have changed; null for all. */
  changed: ReadonlySet<number> | null;
}

/**
 * Plans the standings of all challenges.
 *
 * @returns Operators with a place in a challenge that has become final.
 */
export function* planChallenges({ store, planned, changed }: ChallengesPlan): Steps<Set<number>> {
  const { replicaOut } = store;
  const known = new Set(planned.units.keys());
  const affected = changed && (yield* affectedPages(store, changed));
  const placed = new Set<number>();
  for (const { seq, pages } of replicaOut.frozen()) {
    const isNew = !known.has(unitOf(seq, 0));
    if (isNew) for (const id of replicaOut.participants(seq)) placed.add(id);
    for (let page = 0; page < pages; page += 1) {
      const unit = unitOf(seq, page);
      if (!isNew && affected?.has(unit) === false) continue;
      yield planned.set(unit, { tables: replicaOut.challenge(seq, page) });
    }
  }
  return placed;
}

function* affectedPages(
  { replicaOut }: ChallengesPlan['store'],
  changed: ReadonlySet<number>,
): Steps<Set<string>> {
  const affected = new Set<string>();
  for (const id of changed) {
    for (const [seq, page] of replicaOut.pagesOf(id)) affected.add(unitOf(seq, page));
    yield;
  }
  return affected;
}

function unitOf(seq: number, page: number): string {
  return `challenges/${seq}/${page}`;
}
