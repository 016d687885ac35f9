/** Where operators would stand on any board whom the public does not see. */
import type { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { whatIsMissing } from '#core/domain/board/board.ts';
import { BASIS, seriesOf } from '#core/domain/metrics/day-series.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { OwnStanding } from '#core/domain/board/your-standing.ts';
import { eligibilityIn } from '#core/domain/board/ruleset.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { whyUnseen } from './your-standing.ts';
import { addUpSlice, sliceDays } from '../publication/read/recent-days.ts';

type Board = Pick<LeaderboardQuery, 'metric' | 'tool' | 'trust' | 'window'>;

/** So many standings are kept of a publication. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, OwnStanding | null>(MAX_KEPT);

/** Adds up what {@linkcode unseenStanding} needs in turns of the event loop. */
export async function readyUnseenStanding(
  ctx: AppContext,
  operator: Operator,
  { tool, trust }: Pick<Board, 'tool' | 'trust'>,
): Promise<void> {
  await addUpSlice(ctx, operator, { tool: tool ?? null, trust });
}

/** Computed from what counts now: no publication holds it. Null without tokens on such a board. */
export function unseenStanding(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  board: Board,
): OwnStanding | null {
  const { window, metric, tool, trust } = board;
  const key = JSON.stringify([changeKey(operator), window, metric, tool, trust]);
  return known.read(publication, key, () => computeStanding(ctx, publication, operator, board));
}

function computeStanding(
  ctx: AppContext,
  { as_of }: Publication,
  operator: Operator,
  { window, metric, tool, trust }: Board,
): OwnStanding | null {
  const last = dayNumber(as_of);
  const series = seriesOf(sliceDays(ctx, operator, { tool: tool ?? null, trust }));
  const first = firstDayOf(window, last);
  const standing = standingOf(series, first, last, ctx.ruleset.active_day_tokens);
  if (!standing) return null;
  const missing = whatIsMissing(standing, metric, eligibilityIn(ctx.ruleset, window));
  return {
    value: standing.metrics[metric],
    interval: standing.intervals[metric],
    active_days: standing.bases[BASIS[metric]].active_days,
    ranked: null,
    reasons: [whyUnseen(operator), ...missing],
  };
}
