/** Where an operator would stand whom the public does not see. */
import type { Me } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board.ts';
import { CLASS_WINDOW } from '#core/domain/class-tier.ts';
import { dayName, dayNumber } from '#core/domain/day.ts';
import { seriesOf } from '#core/domain/day-series.ts';
import { eligibilityIn } from '#core/domain/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/slices.ts';
import { standingOf } from '#core/domain/standing.ts';
import { unrankedReason } from '#core/domain/unranked-texts.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { MyStanding } from '#core/schema/my-standing.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator.ts';
import type { Publication } from '../publication/publication.ts';
import { RecentMemo } from '../recent-memo.ts';
import { toolsByUse } from './class-by-tool.ts';
import { summedDays } from './summed-days.ts';

/** An operator's standings in every window with signed tokens: over all tools, and by tool. */
export type OwnStandings = Pick<Me, 'standings' | 'tools'>;

/**
 * The own standings of a private or hidden operator, computed from what counts now: no publication holds
 * them. None has a rank, and the first reason says why.
 */
export function ownStandings(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
): OwnStandings {
  return known.read(publication, changeKey(operator), () =>
    computeStandings(ctx, publication, operator),
  );
}

/** So many operators' standings are kept of a publication. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, OwnStandings>(MAX_KEPT);

function computeStandings(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
): OwnStandings {
  const { records } = ctx.store;
  const first = dayName(firstDayOf(CLASS_WINDOW, dayNumber(publication.as_of)));
  const recent = records.signedTokensByTool(operator.id, first);
  const ever = records.signedTokensByTool(operator.id, '');
  const of = (tool: string | null) => standingsOf(ctx, publication, operator, tool);
  return {
    standings: of(null),
    tools: toolsByUse(recent, ever).map((tool) => {
      const has_board = publication.tools.includes(tool);
      return {
        tool,
        has_board,
        tokens: recent.get(tool) ?? 0,
        class_tier: 'unclassed',
        standings: has_board ? of(tool) : [],
      };
    }),
  };
}

function standingsOf(
  { store, ruleset }: AppContext,
  publication: Publication,
  operator: Operator,
  tool: string | null,
): MyStanding[] {
  const last = dayNumber(publication.as_of);
  const series = seriesOf(summedDays(store, operator, { ...DEFAULT_SLICE, tool }));
  return WINDOWS.flatMap((window) => {
    const first = firstDayOf(window, last);
    const standing = standingOf(series, first, last, ruleset.active_day_tokens);
    if (!standing) return [];
    const missing = whatIsMissing(standing, 'yield', eligibilityIn(ruleset, window));
    const board = publication.window(window, { ...DEFAULT_SLICE, tool });
    return [
      {
        window,
        metrics: standing.metrics,
        interval: standing.intervals.yield,
        rank: null,
        rank_range: null,
        movement: null,
        total: board.total('yield'),
        reasons: [whyUnseen(operator), ...missing],
      },
    ];
  });
}

/** Why the public does not see an operator whom it does not. */
export function whyUnseen({ hidden_at }: Pick<Operator, 'hidden_at'>): UnrankedReason {
  const code = hidden_at === null ? 'private' : 'hidden';
  return unrankedReason({ code, required: null, actual: null }, 'yield');
}
