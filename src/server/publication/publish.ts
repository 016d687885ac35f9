import type { Store } from '#db/store.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { PublicationData } from './read/columns.ts';
import { keepEarlierDays } from './project/keep-days.ts';
import type { Projection } from './projection.ts';
import { storePublication } from './read/stored.ts';

/** Computes and stores the publication of an instant; before the first one of a day, the day before is kept. */
export function publish(
  store: Store,
  projection: Projection,
  nowMs: number,
  isClockSure = true,
): PublicationData {
  const as_of = utcDay(nowMs);
  keepEarlierDays(store, as_of);
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
