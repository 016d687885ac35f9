import type { Improvements, ImprovementsQuery } from '#core/contract/improvements.ts';
import { CLASS_TIERS } from '#core/domain/class-tier.ts';
import { dayNumber } from '#core/domain/day.ts';
import type { DayUsage } from '#core/domain/day-series.ts';
import { improvementsOf } from '#core/domain/improve.ts';
import { firstDayOf } from '#core/domain/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { NextClass } from '#core/schema/improvement.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator.ts';
import type { Publication } from '../publication/publication.ts';
import { currentPublication } from './current-publication.ts';
import { signedUsage } from './signed-usage.ts';

/** Where classes are told. */
const WINDOW = '90d';

/** What the caller's own signed days say about working better, held against the class above. */
export function readImprovements(
  ctx: AppContext,
  { operator_id }: Caller,
  { limit }: ImprovementsQuery,
): Improvements {
  const publication = currentPublication(ctx);
  const { public_name } = operatorOf(ctx, operator_id);
  const { as_of, log_index, operators } = publication;
  const position = public_name === null ? null : operators.positionOf(public_name);
  const class_tier = position === null ? 'unclassed' : operators.at(position).class_tier;
  const usage = signedUsage(ctx, operator_id);
  const last = dayNumber(as_of);
  const diagnosis = improvementsOf({
    usage,
    first: firstDayOf(WINDOW, last),
    last,
    activeDayTokens: ctx.ruleset.active_day_tokens,
    nextClass: nextClassOf(publication, class_tier, usage),
  });
  return {
    as_of,
    log_index,
    class_tier,
    ...diagnosis,
    entries: diagnosis.entries.slice(0, limit),
  };
}

/** The class above, and what is in the middle of it by each tool that both a board and the caller have. */
function nextClassOf(
  publication: Publication,
  class_tier: ClassTier,
  usage: readonly DayUsage[],
): NextClass | null {
  const own = CLASS_TIERS.findIndex((tier) => tier === class_tier);
  const next = own < 0 ? undefined : CLASS_TIERS[own + 1];
  if (next === undefined) return null;
  const tools = new Set(usage.map(({ source }) => source.tool));
  const medians = publication.tools
    .filter((tool) => tools.has(tool))
    .map((tool) => {
      const board = publication.window(WINDOW, { tool, trust: 'signed' });
      const medianOf = (metric: 'leverage' | 'velocity') =>
        board.medians(metric).classes.find((known) => known.class_tier === next)?.median ?? null;
      return { tool, leverage: medianOf('leverage'), velocity: medianOf('velocity') };
    });
  return { class_tier: next, medians };
}
