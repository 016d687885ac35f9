/** The texts of an operator's preview picture. */
import type { OperatorCardFacts } from '#core/domain/board/badge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { OperatorCard } from '../../charts/operator-card.ts';
import { type Ranking, shownValues } from '../board/shown-values.ts';
import { classText, rangeText } from '../text/entry-words.ts';
import { intervalText, momentText, whole } from '../text/format.ts';
import { METRIC_WORDS, boardText } from '../text/words.ts';

export function operatorCardOf(
  { entry, total, as_of, ...view }: OperatorCardFacts,
  { name: board, baseUrl }: { name: string; baseUrl: string },
): OperatorCard {
  const { codename, metric } = view;
  const tier = entry?.class_tier ?? 'unclassed';
  return {
    board,
    name: entry?.display_name ?? codename,
    tier,
    className: classText(tier) ?? '',
    ...rankOf(entry, total),
    ...valueOf(metric, entry),
    meaning: `Conservative ${METRIC_WORDS[metric].name}. ${boardText(view)}`,
    address: `${new URL(baseUrl).host}/operators/${codename}`,
    day: momentText(as_of, 'date'),
  };
}

function rankOf(
  entry: OperatorCardFacts['entry'],
  total: number,
): Pick<OperatorCard, 'range' | 'rank'> {
  if (entry === null || !('rank' in entry)) return { rank: 'Not ranked yet', range: null };
  const range = rangeText(entry.rank_range);
  return {
    rank: `Rank ${whole(entry.rank)} of ${whole(total)}`,
    range: range && `Rank range ${range}`,
  };
}

/** The number that ranks, and its interval. */
export function valueOf(
  metric: MetricName,
  ranking: Ranking | null,
): Pick<OperatorCard, 'interval' | 'value'> {
  if (!ranking?.interval) return { value: 'No value yet', interval: null };
  const [value = ''] = shownValues(metric, [ranking]);
  return { value, interval: `95% interval ${intervalText(metric, ranking.interval)}` };
}
