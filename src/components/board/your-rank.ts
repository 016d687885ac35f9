/** Where the signed-in reader stands on a board, in words. */
import type { YourStanding } from '#core/domain/board/your-standing.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardSheet } from './board-sheet.ts';
import { className } from './board-words.ts';
import { count, intervalText, metricText } from '../text/format.ts';
import { movedText } from '../text/entry-words.ts';
import { METRIC_WORDS, WINDOW_WORDS } from '../text/words.ts';

/** What a board says of its reader. */
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
  /** Whether the board is of some operators only, of whom the reader is none. */
  isLeftOut: boolean;
  after: string | null;
}

export function absenceText({
  board,
  isLeftOut,
}: Pick<YourRankView, 'board' | 'isLeftOut'>): string {
  if (isLeftOut) return 'You are not among the operators that this board is of.';
  const signed = board.trust === 'signed' ? 'signed ' : '';
  const tool = board.tool === null ? '' : ` of ${board.tool}`;
  const time =
    board.window === 'all_time' ? 'at all' : `in the ${WINDOW_WORDS[board.window].phrase}`;
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
    ...(ends === '' ? [] : [['95 % interval', ends] as [string, string]]),
    ['Active days', String(active_days)],
    ['Class', className(class_tier)],
  ];
  if (!ranked) return measured;
  const [best, worst] = ranked.rank_range;
  const change = movedText(ranked.movement)?.words ?? 'none since the day before';
  return [
    ['Rank', `${ranked.rank} of ${count(total, 'ranked operator')}`],
    ['Possible places', best === worst ? String(best) : `${best} to ${worst}`],
    ...measured,
    ['Change', change],
  ];
}
