import { createHash } from 'node:crypto';
import type { Store } from '#db/store.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DEFAULT_VALUES_DAYS } from '#core/domain/board/day-values.ts';
import { keepEarlierDays, thinEarlierDays } from './project/keep-days.ts';
import type { Projection } from './projection.ts';
import type { PublicationData } from './state/board-state.ts';
import { storePublication } from './stored/stored-publications.ts';

/**
 * A digest of everything that a publication shows: the log, and data outside it. While it stays the same, another
 * publication would be the same.
 */
export function shownState(store: Store, as_of: string, isClockSure: boolean): string {
  return store.snapshot(() => {
    const head = store.log.head()?.index ?? 0;
    const change = store.operatorChanges.last();
    const shown = [as_of, isClockSure, head, change, store.challenges.all()];
    return createHash('sha256').update(JSON.stringify(shown)).digest('base64');
  });
}

interface PublishOptions {
  /** Whether deletions may depend on the clock. */
  isClockSure: boolean;
  /** How many past days keep their values. */
  valuesDays: number;
  /** The last publication, if this process made it. */
  last: PublicationData | null;
}

/**
 * Computes the publication of an instant. Before the first one of a day, stores the boards of the day before, and
 * deletes the values of days that are then too old.
 */
export function publish(
  store: Store,
  projection: Projection,
  nowMs: number,
  {
    isClockSure = true,
    valuesDays = DEFAULT_VALUES_DAYS,
    last = null,
  }: Partial<PublishOptions> = {},
): PublicationData {
  const as_of = utcDay(nowMs);
  keepEarlierDays(store, as_of, last);
  if (isClockSure) thinEarlierDays(store, as_of, valuesDays);
  const log_index = projection.refresh(store, as_of, isClockSure);
  const generated_at = new Date(nowMs).toISOString();
  projection.keep(store, generated_at);
  const state = projection.project();
  const head = { log_index, as_of, ruleset: state.rules.id, generated_at };
  return { head: { id: store.publications.begin(head), ...head }, state };
}

/** The same, stored. */
export function publishAndStore(
  store: Store,
  projection: Projection,
  nowMs: number,
  options: Partial<PublishOptions> = {},
): PublicationData {
  const data = publish(store, projection, nowMs, options);
  const { projected } = projection;
  if (projected) storePublication(store, data.head.id, projected, null);
  return data;
}
