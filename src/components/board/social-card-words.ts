/** The texts of the board's preview picture. */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { MIN_FOR_MEDIAN } from '#core/domain/metrics/median.ts';
import type { SocialCardFacts } from '#core/domain/board/badge.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Scale, scaleOf } from '../../charts/scale.ts';
import type { CardRow, SocialCard } from '../../charts/social-card.ts';
import { sheetTitle } from './board-words.ts';
import { endText, type Ranking, shownValues } from './shown-values.ts';
import { count, momentText, whole } from '../text/format.ts';

/** The filters of the front page: all operators with signed tokens. */
const ALL = { trust: DEFAULT_VIEW.trust, class: null, cohort: null, cohorts: [], q: null };

export function cardOf(
  facts: SocialCardFacts,
  { name, baseUrl }: { name: string; baseUrl: string },
): SocialCard {
  const { metric, total, entries } = facts;
  const rows = entries.map(({ metrics, ...entry }) => ({ ...entry, value: metrics[metric] }));
  const shown = shownValues(metric, entries);
  const scale = total < MIN_FOR_MEDIAN ? null : scaleOf(metric, rows);
  return {
    board: name,
    title: sheetTitle({ ...ALL, ...facts }),
    total: count(total, 'ranked operator'),
    address: new URL(baseUrl).host,
    day: momentText(facts.as_of, 'date'),
    rows: rows.map((row, at) =>
      cardRow({ ...row, name: row.codename }, shown[at] ?? '', metric, scale),
    ),
    ticks: scale?.ticks ?? null,
    notes: notesOf(facts),
  };
}

interface Placed extends Ranking {
  rank: number;
  name: string;
  value: number | null;
}

/** A row of a card. @param shown The number that ranks. */
export function cardRow(
  { rank, name, ...measured }: Placed,
  shown: string,
  metric: MetricName,
  scale: Scale | null,
): CardRow {
  return {
    rank: whole(rank),
    name,
    value: shown,
    interval: endText(metric, measured),
    mark: scale?.mark(measured) ?? null,
  };
}

function notesOf({ total, unranked }: SocialCardFacts): string[] {
  if (total >= MIN_FOR_MEDIAN) return ['Ranked by the marked conservative value.'];
  if (total > 0) return ['Ranked by the conservative value.'];
  if (unranked === 0) return ['No one is on the board yet.', 'Submit your counts to be first.'];
  return [
    'No one is ranked yet.',
    `${count(unranked, 'operator has', 'operators have')} tokens so far.`,
  ];
}
