import type { Improvements, ImprovementsQuery } from '#core/contract/improvements.ts';
import { CLASS_WINDOW, classAbove } from '#core/domain/class-tier.ts';
import { dayNumber } from '#core/domain/day.ts';
import type { DayUsage } from '#core/domain/day-series.ts';
import { improvementsOf } from '#core/domain/improve.ts';
import { firstDayOf } from '#core/domain/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { Diagnosis, NextClass } from '#core/schema/improvement.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey, operatorOf } from '../operator.ts';
import type { Publication } from '../publication/publication.ts';
import { signedUsage } from '../publication/signed-usage.ts';
import { RecentMemo } from '../recent-memo.ts';
import { currentPublication } from './current-publication.ts';

/** So many diagnoses of a publication are kept. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, Diagnosed>(MAX_KEPT);

type Diagnosed = Pick<Improvements, 'class_tier'> & Diagnosis;

/**
 * What the caller's own signed days say about working better, held against the class above.
 *
 * @param query With `days`, fewer than the 90 that are looked at otherwise.
 */
export function readImprovements(
  ctx: AppContext,
  { operator_id }: Caller,
  { limit, days }: ImprovementsQuery & { days?: number | undefined },
): Improvements {
  const publication = currentPublication(ctx);
  const operator = operatorOf(ctx, operator_id);
  const { as_of, log_index } = publication;
  // Nothing that it depends on changes without an entry in the log.
  const key = `${changeKey(operator)} ${days ?? ''}`;
  const { class_tier, ...diagnosis } = known.read(publication, key, () =>
    diagnose(ctx, publication, operator, days),
  );
  return {
    as_of,
    log_index,
    class_tier,
    ...diagnosis,
    entries: diagnosis.entries.slice(0, limit),
  };
}

function diagnose(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  days = Infinity,
): Diagnosed {
  const class_tier = publication.operators.classOf(operator.public_name);
  const last = dayNumber(publication.as_of);
  const first = Math.max(firstDayOf(CLASS_WINDOW, last), last - days + 1);
  const usage = signedUsage(ctx.store, operator.id, first);
  const diagnosis = improvementsOf({
    usage,
    first,
    last,
    activeDayTokens: ctx.ruleset.active_day_tokens,
    nextClass: nextClassOf(publication, class_tier, usage),
  });
  return { class_tier, ...diagnosis };
}

/** The class above, and what is in the middle of it by each tool that both a board and the caller have. */
function nextClassOf(
  publication: Publication,
  class_tier: ClassTier,
  usage: readonly DayUsage[],
): NextClass | null {
  const next = classAbove(class_tier);
  if (next === null) return null;
  const tools = new Set(usage.map(({ source }) => source.tool));
  const medians = publication.tools
    .filter((tool) => tools.has(tool))
    .map((tool) => {
      const board = publication.window(CLASS_WINDOW, { tool, trust: 'signed' });
      const medianOf = (metric: 'leverage' | 'velocity') =>
        board.medians(metric).classes.find((known) => known.class_tier === next)?.median ?? null;
      return { tool, leverage: medianOf('leverage'), velocity: medianOf('velocity') };
    });
  return { class_tier: next, medians };
}
