import type { HistoryQuery, OperatorHistory } from '#core/contract/operators.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { type HistoryPeriod, historyOf } from '#core/domain/metrics/history.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { HistoryPoint } from '#core/schema/operator.ts';
import type { AppContext } from '../context.ts';
import {
  type PublicOperator,
  publicOperator,
} from '#server/publication/read/current-publication.ts';
import { signedDays } from '../publication/read/recent-days.ts';

/** Prepares the data for {@linkcode readOperatorHistory}. Yields to the event loop. */
export async function readyOperatorHistory(
  ctx: AppContext,
  codename: string,
  { window }: Pick<HistoryQuery, 'window'>,
): Promise<void> {
  await signedDays(ctx, publicOperator(ctx, codename), spanOf(ctx, window)).ready();
}

/**
 * An operator's days or weeks in a window that ends today, with the published ranks.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readOperatorHistory(
  ctx: AppContext,
  codename: string,
  { window, metric, interval }: HistoryQuery,
): OperatorHistory {
  const { store } = ctx;
  const span = spanOf(ctx, window);
  const as_of = span.to;
  return store.snapshot(() => {
    const operator = publicOperator(ctx, codename);
    const usage = signedDays(ctx, operator, span).read();
    const ranks = ranksOf(ctx, operator, { window, metric, ...span });
    const newest = ctx.publications.current()?.as_of ?? as_of;
    const points = historyOf(usage, interval).map((period) => pointOf(period, ranks, newest));
    const log_index = store.log.head()?.index ?? 0;
    return { codename, window, metric, interval, as_of, log_index, points };
  });
}

function spanOf(ctx: AppContext, window: HistoryQuery['window']) {
  const to = utcDay(ctx.now().getTime());
  const first = firstDayOf(window, dayNumber(to));
  return { from: Number.isFinite(first) ? dayName(first) : '', to };
}

interface RankedSpan extends Pick<HistoryQuery, 'metric' | 'window'> {
  from: string;
  to: string;
}

/** An operator's ranks by day: stored ranks for past days, and the current publication's for its day. */
function ranksOf(
  { store, publications }: AppContext,
  { id, codename }: PublicOperator,
  span: RankedSpan,
): Map<string, number | null> {
  const kept = store.keptDays.ranksOf(id, { ...DEFAULT_SLICE, ...span });
  const ranks = new Map(kept.map(({ day, rank }) => [day, rank]));
  const current = publications.current();
  if (current) {
    const entry = current.window(span.window).find(span.metric, codename);
    ranks.set(current.as_of, entry && 'rank' in entry ? entry.rank : null);
  }
  return ranks;
}

/** A week's rank is that of its last day, or of the newest board for the current week. */
function pointOf(
  { first, last, totals, metrics }: HistoryPeriod,
  ranks: ReadonlyMap<string, number | null>,
  newest: string,
): HistoryPoint {
  const date = dayName(first);
  const end = dayName(last) < newest ? dayName(last) : newest;
  const rank = end < date ? null : (ranks.get(end) ?? null);
  return { date, ...totals, metrics, rank };
}
