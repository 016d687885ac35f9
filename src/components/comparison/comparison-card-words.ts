/** The texts of a comparison's preview picture. */
import type { ComparedOperator, ComparisonView } from '#core/domain/board/comparison.ts';
import type { ComparisonCard, ComparisonRow } from '../../charts/comparison-card.ts';
import { type Scale, scaleOf } from '../../charts/scale.ts';
import { shownValues } from '../board/shown-values.ts';
import { comparisonHref } from '../text/addresses.ts';
import { classText } from '../text/entry-words.ts';
import { count, momentText, whole } from '../text/format.ts';
import { boardText } from '../text/words.ts';
import { resultTitle } from './comparison-words.ts';

/** @param operators The highest conservative yield first. */
export function comparisonCardOf(
  {
    view,
    operators,
    as_of,
  }: {
    view: ComparisonView;
    operators: readonly ComparedOperator[];
    as_of: string;
  },
  { name: board, baseUrl }: { name: string; baseUrl: string },
): ComparisonCard {
  const column = operators.map(measuredOf);
  const shown = shownValues('yield', column);
  const scale = scaleOf('yield', column);
  return {
    board,
    title: resultTitle(operators),
    total: `Conservative yield, ${boardText(view).toLowerCase()}`,
    address: new URL(baseUrl).host + comparisonHref(view),
    day: momentText(as_of, 'date'),
    ticks: scale.ticks,
    rows: operators.map((operator, at) => rowOf(operator, shown[at] ?? '', scale)),
  };
}

function measuredOf({ standing }: ComparedOperator) {
  const { value = null, conservative = null, interval = null } = standing?.metrics.yield ?? {};
  return { value, conservative, interval };
}

function rowOf(operator: ComparedOperator, shown: string, scale: Scale): ComparisonRow {
  const { codename, display_name, class_tier, standing } = operator;
  return {
    tier: class_tier,
    name: display_name ?? codename,
    facts: [classText(class_tier), ...factsOf(standing)].filter(Boolean).join(', '),
    value: standing === null ? 'No tokens' : shown,
    mark: scale.mark(measuredOf(operator)),
  };
}

function factsOf(standing: ComparedOperator['standing']): string[] {
  if (standing === null) return [];
  const { rank, total, active_days } = standing.metrics.yield;
  const place = rank === null ? 'not ranked yet' : `rank ${whole(rank)} of ${whole(total)}`;
  return [place, ...(active_days === null ? [] : [count(active_days, 'active day')])];
}
