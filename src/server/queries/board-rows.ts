/** What a board's page shows of its rows besides the board. */
import type { BoardSlice } from '#core/domain/board.ts';
import { dayName, dayNumber } from '#core/domain/day.ts';
import { groupBy } from '#core/domain/group.ts';
import { type RowDetails, TREND_DAYS, trendOf } from '#core/domain/trend.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { isProfileShown } from '../profile.ts';

/** Which rows, and which of their counts. */
interface Rows {
  codenames: readonly string[];
  slice: BoardSlice;
  metric: MetricName;
  as_of: string;
}

/**
 * The details of rows by codename. They are read for what the public calls an operator now: whose name
 * has changed since the board was published is nobody's any more.
 */
export function readRowDetails(
  { store }: Pick<AppContext, 'store'>,
  rows: Rows,
): ReadonlyMap<string, RowDetails> {
  const last = dayNumber(rows.as_of);
  const span = { from: dayName(last - TREND_DAYS + 1), to: rows.as_of };
  const days = store.shownRows.days({ names: rows.codenames, ...rows.slice, ...span });
  const byName = groupBy(days, ({ codename }) => codename);
  const shown = store.shownRows.pictures(rows.codenames).filter(isProfileShown);
  const pictures = new Map(shown.map(({ codename, hash }) => [codename, `/avatars/${hash}.webp`]));
  const details = rows.codenames.map((codename): [string, RowDetails] => {
    const usage = byName.get(codename);
    const trend = usage ? trendOf(usage.map(withDayNumber), rows.metric, last) : null;
    return [codename, { avatar: pictures.get(codename) ?? null, trend }];
  });
  return new Map(details);
}

function withDayNumber<Row extends { day: string }>(row: Row) {
  return { ...row, day: dayNumber(row.day) };
}
