import type { HallOfSignal } from '#core/contract/hall-of-signal.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

/** The record of each metric, and those that were beaten on the way to it. */
export function readHallOfSignal(ctx: AppContext): HallOfSignal {
  const { as_of, log_index, generated_at, next_refresh_at, records } = currentPublication(ctx);
  const metrics = METRIC_NAMES.map((metric) => {
    const [record = null, ...earlier] = records.of(metric).map((one) => shown(ctx, one));
    return { metric, record, earlier };
  });
  return { as_of, log_index, generated_at, next_refresh_at, metrics };
}

/** Submissions of who is not open lead back to the codename. */
function shown({ store }: AppContext, record: SignalRecord): SignalRecord {
  const submission =
    record.submission === null ? undefined : store.submissions.byId(record.submission);
  return submission?.is_open === 1 ? record : { ...record, submission: null };
}
