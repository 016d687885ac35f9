/** The signed-in reader's rank on a board, in words. */
import type { YourStanding } from '#core/domain/board/your-standing.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardSheet } from './board-sheet.ts';
import { className } from './board-words.ts';
import { count, intervalText, metricText } from '../text/format.ts';
import { movedText, rangeText } from '../text/entry-words.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '../text/words.ts';

/** A board and the reader's standing on it. */
export interface YourRankView {
  board: Pick<
    BoardSheet,
    'class' | 'cohort' | 'cohorts' | 'metric' | 'q' | 'tool' | 'tools' | 'trust' | 'window'
  >;
  codename: string;
  public_name: string | null;
  class_tier: ClassTier;
  total: number;
  standing: YourStanding | null;
  /** Whether a filter of the board excludes the reader. */
  isLeftOut: boolean;
  after: string | null;
}

export function absenceText({
  board,
  isLeftOut,
}: Pick<YourRankView, 'board' | 'isLeftOut'>): string {
  if (isLeftOut) return 'The filter of this board does not include you.';
  const signed = board.trust === 'signed' ? 'signed ' : '';
  const tool = board.tool === null ? '' : ` from ${board.tool}`;
  const time = board.window === 'all_time' ? 'yet' : `in the ${WINDOW_WORDS[board.window].phrase}`;
  return `You have no ${signed}tokens${tool} ${time}.`;
}

export function factsOf(
  { class_tier, total }: YourRankView,
  { value, interval, active_days, ranked }: YourStanding,
  metric: MetricName,
): [name: string, text: string][] {
  const ends = intervalText(metric, interval);
  const measured: [string, string][] = [
    [METRIC_WORDS[metric].label, metricText(metric, value)],
    ...(ends === '' ? [] : [['95% interval', ends] as [string, string]]),
    ['Active days', String(active_days)],
    ['Class', className(class_tier)],
  ];
  if (!ranked) return measured;
  const change = movedText(ranked.movement)?.words ?? 'none since yesterday';
  return [
    ['Rank', `${ranked.rank} of ${count(total, 'ranked operator')}`],
    ['Rank range', rangeText(ranked.rank_range) ?? String(ranked.rank)],
    ...measured,
    ['Change', change],
  ];
}
