import type { Improvements, ImprovementsQuery } from '#core/contract/improvements.ts';
import { CLASS_WINDOW, classAbove } from '#core/domain/metrics/class-tier.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { improvementSteps } from '#core/domain/peers/improve.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { Diagnosis } from '#core/schema/improvement.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { type Operator, operatorOf } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { type AccountSum, NAMED, accountSum, eachPart } from '../counting/bucket-turns.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { ModelDays } from './operator-page.ts';

/** The number of cached diagnoses per publication. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, Diagnosed>(MAX_KEPT);

type Diagnosed = Pick<Improvements, 'class_tier'> & Diagnosis;

/** Prepares the data for {@linkcode readImprovements}. Yields to the event loop. */
export async function readyImprovements(ctx: AppContext, { operator_id }: Caller, days?: number) {
  await diagnosisOf(ctx, currentPublication(ctx), operatorOf(ctx, operator_id), days).ready();
}

/**
 * Suggestions from the caller's own signed days, compared with the class above.
 *
 * @param query `days` limits the analysis to fewer than the usual 90 days.
 */
export function readImprovements(
  ctx: AppContext,
  { operator_id }: Caller,
  { limit, days }: ImprovementsQuery & { days?: number | undefined },
): Improvements {
  const publication = currentPublication(ctx);
  const operator = operatorOf(ctx, operator_id);
  const { as_of, log_index } = publication;
  const { class_tier, ...diagnosis } = diagnosisOf(ctx, publication, operator, days).read();
  return {
    as_of,
    log_index,
    class_tier,
    ...diagnosis,
    entries: diagnosis.entries.slice(0, limit),
  };
}

/**
 * The days part by part, then tool by tool. The buckets of a model are summed over providers, which do not matter
 * here.
 */
function diagnosisOf(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  days = Infinity,
): AccountSum<Diagnosed> {
  const kept = { memo: known, owner: publication, name: String(days) };
  return accountSum(ctx, operator, kept, function* () {
    const last = dayNumber(publication.as_of);
    const first = Math.max(firstDayOf(CLASS_WINDOW, last), last - days + 1);
    const span = { from: dayName(first), to: dayName(last) };
    const ofModels = new ModelDays();
    const { signed } = ctx.store.usage;
    const add = (part: Parameters<typeof signed>[0]) => ofModels.add(signed(part));
    yield* eachPart(ctx.store, operator, span, add, NAMED);
    yield;
    const usage = ofModels.all();
    yield;
    const class_tier = publication.operators.classOf(operator.public_name);
    const nextClass = nextClassOf(publication, class_tier, usage);
    const steps = improvementSteps({ first, last, usage, rules: ctx.ruleset, nextClass });
    return { class_tier, ...(yield* steps) };
  });
}

/** The class above, with its medians for each tool of the caller that has a board. */
function nextClassOf(publication: Publication, class_tier: ClassTier, usage: readonly DayUsage[]) {
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
