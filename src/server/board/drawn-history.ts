import { HistoryQuery } from '#core/contract/operators.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { periodsBetween } from '#core/domain/metrics/history.ts';
import type { DrawnHistory } from '#core/domain/board/operator-view.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { AppContext } from '../context.ts';
import { readOperatorHistory } from './operator-history.ts';
import { readRulesets } from './rulesets.ts';

type Asked = Pick<DrawnHistory, 'interval' | 'metric' | 'window'>;

/**
 * An operator's history with its gaps, and when the rules changed meanwhile.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readDrawnHistory(ctx: AppContext, codename: string, asked: Asked): DrawnHistory {
  const { window, metric, interval } = asked;
  const query = HistoryQuery.parse({ window, metric, interval });
  const { points, as_of } = readOperatorHistory(ctx, codename, query);
  const [oldest] = points;
  if (!oldest) return { ...asked, points: [], changes: [] };
  const last = dayNumber(as_of);
  const begin = firstDayOf(window, last);
  const first = Number.isFinite(begin) ? begin : dayNumber(oldest.date);
  const known = new Map(points.map((point) => [point.date, point]));
  const drawn = periodsBetween(first, last, interval).map((day) => {
    const date = dayName(day);
    const { metrics, total = 0, rank = null } = known.get(date) ?? {};
    return { date, value: metrics?.[metric] ?? null, total, rank };
  });
  return { ...asked, points: drawn, changes: changesFrom(ctx, drawn[0]?.date ?? as_of) };
}

/** The first ruleset of a board changed nothing. */
function changesFrom(ctx: AppContext, first: string): DrawnHistory['changes'] {
  return readRulesets(ctx)
    .slice(1)
    .map(({ since, ruleset }) => ({ date: since.slice(0, 10), label: `ruleset ${ruleset.id}` }))
    .filter(({ date }) => date >= first);
}
