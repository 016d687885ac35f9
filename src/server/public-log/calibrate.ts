import { calibrate } from '#core/domain/board/calibration.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { type DaySeries, onlyThose, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { Calibration } from '#core/schema/calibration.ts';
import type { LoggedOperator } from '#db/public-log.ts';
import type { Store } from '#db/store.ts';
import type { PublicLogPlan } from './lines.ts';

/**
 * The calibration that everyone can recompute from a public log: of the operators whose entries it shows, with all of
 * its entries, over the days of its current board. Null without a current board. Call it inside the log's snapshot.
 */
export function calibrationOf(
  store: Store,
  { head, operators, current }: PublicLogPlan,
  ruleset: Ruleset,
): Calibration | null {
  if (!current) return null;
  const { as_of } = current;
  const days = signedDays(store, operators);
  const result = calibrate(days, { last: dayNumber(as_of), ruleset });
  return { as_of, log_index: head.index, ...result };
}

/** The days of all tools that operators with public entries have signed. */
function* signedDays(store: Store, operators: readonly LoggedOperator[]): Generator<DaySeries> {
  const shown = new Set(operators.filter((each) => each.takes_part).map(({ id }) => id));
  const range = { first: 1, last: store.operatorChanges.lastId() };
  for (const { operator_id, usage } of store.usage.ofRange(range)) {
    if (!shown.has(operator_id)) continue;
    yield seriesOf(onlyThose(usage, ({ source }) => source.trust === 'signed'));
  }
}
