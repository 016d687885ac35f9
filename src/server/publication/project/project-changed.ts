import type { Store } from '#db/store.ts';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { type ProjectedOperator, projectOperator } from './projected-operator.ts';
import { UsageReader } from './usage-reader.ts';

/** Which operators are read: those with a change after a log entry; of these every `of`-th, if others read the rest. */
export interface Changes {
  as_of: string;
  since: number;
  challenges: readonly RankedChallenge[];
  /** Of operators with a change after this entry, windows that ended before may set records. */
  lookedAt: number;
  share?: { index: number; of: number };
}

/** Projects operators that have changed. Call it inside a snapshot. */
export function projectChanged(
  store: Store,
  ruleset: Ruleset,
  { as_of, since, challenges, lookedAt, share = { index: 0, of: 1 } }: Changes,
  take: (id: number, operator: ProjectedOperator) => void,
): void {
  const term = { last: dayNumber(as_of), ruleset, challenges };
  const unsigned = new Set(store.devices.selfReporters());
  const reader = new UsageReader((device_id) => unsigned.has(device_id));
  for (const { id, log_index } of store.operators.changedSince(since)) {
    if (id % share.of !== share.index) continue;
    const usage = reader.read(store.buckets.counting(id));
    take(id, projectOperator(usage, { ...term, seeksRecords: log_index > lookedAt }));
  }
}
