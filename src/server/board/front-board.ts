import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { AppContext } from '../context.ts';
import { type FrontBoard, frontBoard } from '../publication/read/front-board.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import type { CurrentLeaderboard } from './leaderboard.ts';

/** The board that the front page shows. */
export function frontView(ctx: AppContext): FrontBoard {
  return frontBoard(currentPublication(ctx));
}

type Shown = Pick<CurrentLeaderboard, 'class' | 'cohort' | 'metric' | 'tool' | 'trust' | 'window'>;

/** Whether the front page shows the same board. */
export function isFrontBoard(ctx: AppContext, shown: Shown): boolean {
  const { window, metric, tool } = frontView(ctx);
  const isUsual = shown.trust === DEFAULT_VIEW.trust;
  const isOfAll = isUsual && shown.class === null && shown.cohort === null;
  const isSame = shown.window === window && shown.metric === metric && shown.tool === tool;
  return isOfAll && isSame;
}
