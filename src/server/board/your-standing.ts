/** Standings of operators, including those of private and hidden operators. */
import type { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import type { Me } from '#core/contract/me.ts';
import { whatIsMissing } from '#core/domain/board/board.ts';
import { usageByTool } from '#core/domain/board/breakdown.ts';
import { eligibilityIn } from '#core/domain/board/ruleset.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { shareFor, type StatedSpans, statedSpans } from '#core/domain/board/stated-share.ts';
import { unrankedReason } from '#core/domain/board/unranked-texts.ts';
import type { YourStanding } from '#core/domain/board/your-standing.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { BASIS, type DayCounts, seriesOf } from '#core/domain/metrics/day-series.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf, WINDOWS } from '#core/domain/metrics/window.ts';
import type { ClassTier, UnrankedReason } from '#core/schema/board.ts';
import type { MyStanding } from '#core/schema/my-standing.ts';
import { MAX_CLASS_TOOLS, type ToolClass } from '#core/schema/operator.ts';
import type { AppContext } from '../context.ts';
import { type AccountSum, EVER, accountSum, eachPart } from '../counting/bucket-turns.ts';
import { type Operator, operatorOf } from '../operator/operator.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import type { Publication } from '../publication/read/publication.ts';
import { sliceDays } from '../publication/read/recent-days.ts';

/** An operator's standings in every window with signed tokens, for all tools together and for each tool. */
export type OwnStandings = Pick<Me, 'standings' | 'tools'>;

/**
 * The standings of a private or hidden operator, computed from the current counts because publications do not
 * contain them. They have no ranks, and their first reason explains why.
 */
export function ownStandings(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
): AccountSum<OwnStandings> {
  return accountSum(ctx, operator, { memo: known, owner: publication }, function* () {
    const days: ToolDay[] = [];
    yield* eachPart(ctx.store, operator, EVER, (part) => {
      const found = ctx.store.records.signedByTool(part);
      days.push(...found.map((counts) => ({ ...counts, day: dayNumber(counts.day) })));
    });
    return computeStandings(ctx, publication, operator, days);
  });
}

/** Prepares the data of a private or hidden operator for {@linkcode ownStandings}. */
export async function readyOwnStandings(ctx: AppContext, operator_id: number): Promise<void> {
  const operator = operatorOf(ctx, operator_id);
  if (operator.public_name !== null) return;
  await ownStandings(ctx, currentPublication(ctx), operator).ready();
}

/** The number of operators with cached standings per publication. */
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
  const stated = statedBy(ctx, operator, () => days);
  const of = (tool: string | null) => {
    const usage = tool === null ? days : (byTool.get(tool) ?? []);
    return standingsOf(ctx, publication, operator, { tool, usage, stated });
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

type ToolDay = DayCounts & { tool: string };

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
  { tool, usage, stated }: { tool: string | null; usage: readonly DayCounts[] } & Stating,
): MyStanding[] {
  const last = dayNumber(publication.as_of);
  const series = seriesOf(usage);
  return WINDOWS.flatMap((window) => {
    const first = firstDayOf(window, last);
    const standing = standingOf(series, first, last, ruleset);
    if (!standing) return [];
    const stated_days = shareFor(ruleset, stated, { first, last });
    const eligibility = eligibilityIn(ruleset, window);
    const missing = whatIsMissing({ ...standing, stated_days }, 'yield', eligibility);
    const board = publication.window(window, { ...DEFAULT_SLICE, tool });
    return [
      {
        window,
        metrics: standing.metrics,
        conservative: standing.conservative.yield,
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

/** The stated days of an account; null if the ranking rules require none. */
interface Stating {
  stated: StatedSpans | null;
}

/** @param signed Returns the signed days of all tools, sorted by day. */
function statedBy(
  { store, ruleset }: AppContext,
  { id }: Operator,
  signed: () => readonly DayCounts[],
): Stating['stated'] {
  if (!ruleset.stated_days) return null;
  return statedSpans(seriesOf(signed()).all.day, store.changedDays.covered(id));
}

/** The reason why an operator is not public. */
export function whyUnseen({ hidden_at }: Pick<Operator, 'hidden_at'>): UnrankedReason {
  const code = hidden_at === null ? 'private' : 'hidden';
  return unrankedReason({ code, required: null, actual: null }, 'yield');
}

type BoardView = Pick<LeaderboardQuery, 'metric' | 'tool' | 'trust' | 'window'>;

/** Computed from the current counts, because no publication contains it. Null without tokens on such a board. */
export function unseenStanding(
  ctx: AppContext,
  { as_of }: Publication,
  operator: Operator,
  { window, metric, tool, trust }: BoardView,
): YourStanding | null {
  const last = dayNumber(as_of);
  const series = seriesOf(sliceDays(ctx, operator, { tool: tool ?? null, trust }).read());
  const first = firstDayOf(window, last);
  const standing = standingOf(series, first, last, ctx.ruleset);
  if (!standing) return null;
  const stated = statedBy(ctx, operator, () => sliceDays(ctx, operator, DEFAULT_SLICE).read());
  const stated_days = shareFor(ctx.ruleset, stated, { first, last });
  const eligibility = eligibilityIn(ctx.ruleset, window);
  const missing = whatIsMissing({ ...standing, stated_days }, metric, eligibility);
  return {
    value: standing.metrics[metric],
    conservative: standing.conservative[metric],
    interval: standing.intervals[metric],
    active_days: standing.bases[BASIS[metric]].active_days,
    ranked: null,
    reasons: [whyUnseen(operator), ...missing],
  };
}

type Boards = Pick<Publication, 'tools' | 'window'>;

/** An operator's class on the board of each of its tools, in the order of {@linkcode toolsByUse}. */
export function classByTool(publication: Boards, codename: string): ToolClass[] {
  const recent = tokensByTool(publication.window(CLASS_WINDOW).parts(codename));
  const ever = tokensByTool(publication.window('all_time').parts(codename));
  return toolsByUse(recent, ever).map((tool) => ({
    tool,
    has_board: publication.tools.includes(tool),
    tokens: recent.get(tool) ?? 0,
    class_tier: classOn(publication, tool, codename),
  }));
}

/** The tool with a board that the operator uses most; null if there is none. */
export function mainTool(publication: Boards, codename: string): string | null {
  return classByTool(publication, codename).find(({ has_board }) => has_board)?.tool ?? null;
}

/** Tools by their tokens in 90 days, then in all time, then by name; at most as many as are listed. */
function toolsByUse(recent: ReadonlyMap<string, number>, ever: ReadonlyMap<string, number>) {
  const in90 = (tool: string) => recent.get(tool) ?? 0;
  return [...ever]
    .sort(([a, ofA], [b, ofB]) => in90(b) - in90(a) || ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_CLASS_TOOLS)
    .map(([tool]) => tool);
}

function tokensByTool(parts: Parameters<typeof usageByTool>[0]): Map<string, number> {
  return new Map(usageByTool(parts).map(({ tool, totals }) => [tool, totals.total]));
}

function classOn({ tools, window }: Boards, tool: string, codename: string): ClassTier {
  if (!tools.includes(tool)) return 'unclassed';
  const board = window(CLASS_WINDOW, { ...DEFAULT_SLICE, tool });
  const found = board.find('yield', codename);
  return classTierOf(found && 'rank' in found ? found.conservative : null);
}
