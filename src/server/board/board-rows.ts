/** What a board's page shows of its rows besides the board. */
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import { type RowDetails, TREND_DAYS, trendOf } from '#core/domain/metrics/trend.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { isProfileShown } from '../operator/profile.ts';
import { anotherTurn } from '../process/yield-to-event-loop.ts';
import { eachPart } from '../counting/bucket-turns.ts';

/** Which rows, and which of their counts. */
interface Rows {
  codenames: readonly string[];
  slice: BoardSlice;
  metric: MetricName;
  as_of: string;
}

/**
 * The details of rows by codename, read in turns of the event loop, because the days of a large account
 * take up to 200 ms. They are read for what the public calls an operator now: whose name has changed since the board was published is nobody's any more.
 */
export async function readRowDetails(
  { store }: Pick<AppContext, 'store'>,
  rows: Rows,
): Promise<ReadonlyMap<string, RowDetails>> {
  const { codenames, slice, metric, as_of } = rows;
  const last = dayNumber(as_of);
  const span = { from: dayName(last - TREND_DAYS + 1), to: as_of };
  const trends = new Map<string, RowDetails['trend']>();
  for (const { id, codename } of store.shownRows.open(codenames)) {
    await anotherTurn();
    const usage: DayCounts[] = [];
    await eachPart(store, { id, log_index: 0 }, span, (part) => {
      usage.push(...store.records.usage({ ...part, ...slice }).map(withDayNumber));
    });
    if (usage.length > 0) trends.set(codename, trendOf(usage, metric, last));
  }
  const shown = store.shownRows.pictures(codenames).filter(isProfileShown);
  const pictures = new Map(shown.map(({ codename, hash }) => [codename, `/avatars/${hash}.webp`]));
  const details = codenames.map((codename): [string, RowDetails] => [
    codename,
    { avatar: pictures.get(codename) ?? null, trend: trends.get(codename) ?? null },
  ]);
  return new Map(details);
}

function withDayNumber<Row extends { day: string }>(row: Row) {
  return { ...row, day: dayNumber(row.day) };
}
