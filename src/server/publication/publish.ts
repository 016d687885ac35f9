import { createHash } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { keepEarlierDays, thinEarlierDays } from './project/keep-days.ts';
import type { Projection } from './projection.ts';
import { storePublication } from './read/stored.ts';

/**
 * A digest of everything that a publication shows: the log, and data outside it. While it stays the same, another
 * publication would be the same.
 */
export function shownState(store: Store, as_of: string, isClockSure: boolean): string {
  return store.snapshot(() => {
    const head = store.log.head()?.index ?? 0;
    const hash = createHash('sha256');
    hash.update(JSON.stringify([as_of, isClockSure, head, store.challenges.all()]));
    for (const operator of store.operators.shown()) hash.update(JSON.stringify(operator));
    return hash.digest('base64');
  });
}

interface PublishOptions {
  /** Whether deletions may depend on the clock. */
  isClockSure: boolean;
  /** How many past days keep their values. */
  valuesDays: number;
}

/**
 * Computes and stores the publication of an instant. Before the first one of a day, stores the boards of the day
 * before, and deletes the values of days that are then too old.
 */
export function publish(
  store: Store,
  projection: Projection,
  nowMs: number,
  { isClockSure = true, valuesDays = DEFAULT_VALUES_DAYS }: Partial<PublishOptions> = {},
) {
  const as_of = utcDay(nowMs);
  keepEarlierDays(store, as_of);
  if (isClockSure) thinEarlierDays(store, as_of, valuesDays);
  const log_index = projection.refresh(store, as_of, isClockSure);
  const generated_at = new Date(nowMs).toISOString();
  projection.keep(store, generated_at);
  const boards = projection.project();
  return storePublication(store, boards, {
    log_index,
    as_of,
    ruleset: boards.shared.rules.id,
    generated_at,
  });
}
