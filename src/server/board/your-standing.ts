/** Where an operator would stand whom the public does not see. */
import type { Me } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board/board.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { CLASS_WINDOW } from '#core/domain/metrics/class-tier.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { type DayCounts, seriesOf } from '#core/domain/metrics/day-series.ts';
import { eligibilityIn } from '#core/domain/board/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { unrankedReason } from '#core/domain/board/unranked-texts.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';
import type { UnrankedReason } from '#core/schema/board.ts';
import type { MyStanding } from '#core/schema/my-standing.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey, operatorOf } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { EVER, eachPart } from '../counting/bucket-turns.ts';
import { toolsByUse } from './class-by-tool.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

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
    computeStandings(
      ctx,
      publication,
      operator,
      toolDaysIn(ctx, { operator_id: operator.id, ...EVER }),
    ),
  );
}

/** Adds up what {@linkcode ownStandings} needs of a private or hidden operator in turns of the event loop. */
export async function readyOwnStandings(ctx: AppContext, operator_id: number): Promise<void> {
  const operator = operatorOf(ctx, operator_id);
  const publication = currentPublication(ctx);
  const key = changeKey(operator);
  if (operator.public_name !== null || known.has(publication, key)) return;
  const days: ToolDay[] = [];
  const isOne = await eachPart(ctx.store, operator, EVER, (part) => {
    days.push(...toolDaysIn(ctx, part));
  });
  if (isOne) known.read(publication, key, () => computeStandings(ctx, publication, operator, days));
}

/** So many operators' standings are kept of a publication. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, OwnStandings>(MAX_KEPT);

function computeStandings(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  days: readonly ToolDay[],
): OwnStandings {
  const first = firstDayOf(CLASS_WINDOW, dayNumber(publication.as_of));
  const recent = tokensOf(days.filter(({ day }) => day >= first));
  const ever = tokensOf(days);
  const byTool = Map.groupBy(days, ({ tool }) => tool);
  const of = (tool: string | null) => {
    const usage = tool === null ? days : (byTool.get(tool) ?? []);
    return standingsOf(ctx, publication, operator, { tool, usage });
  };
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

/** What counts of a day and tool and was signed: one or more sums. */
type ToolDay = DayCounts & { tool: string };

function toolDaysIn({ store }: AppContext, part: Parameters<Parameters<typeof eachPart>[3]>[0]) {
  const found = store.records.signedByTool(part);
  return found.map((counts): ToolDay => ({ ...counts, day: dayNumber(counts.day) }));
}

function tokensOf(days: readonly ToolDay[]): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const { tool, ...counts } of days) {
    tokens.set(tool, (tokens.get(tool) ?? 0) + totalOf(counts));
  }
  return tokens;
}

function standingsOf(
  { ruleset }: AppContext,
  publication: Publication,
  operator: Operator,
  { tool, usage }: { tool: string | null; usage: readonly DayCounts[] },
): MyStanding[] {
  const last = dayNumber(publication.as_of);
  const series = seriesOf(usage);
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
