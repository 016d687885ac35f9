import type { Improvements, ImprovementsQuery } from '#core/contract/improvements.ts';
import { CLASS_WINDOW, classAbove } from '#core/domain/metrics/class-tier.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { improvementSteps, improvementsOf } from '#core/domain/peers/improve.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { Diagnosis, NextClass } from '#core/schema/improvement.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey, operatorOf } from '../operator/operator.ts';
import type { Publication } from '../publication/read/publication.ts';
import { signedPart, signedUsage } from '../publication/project/signed-usage.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import { anotherTurn } from '../process/yield-to-event-loop.ts';
import { NAMED, eachPart } from '../counting/bucket-turns.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { ModelDays } from './model-days.ts';

/** So many diagnoses of a publication are kept. */
const MAX_KEPT = 500;
const known = new RecentMemo<Publication, Diagnosed>(MAX_KEPT);

type Diagnosed = Pick<Improvements, 'class_tier'> & Diagnosis;

/**
 * Makes what {@linkcode readImprovements} reads, in turns of the event loop: the days part by part, then tool by tool.
 * Providers make no difference to it, so the buckets of a model that differ by them only are added up.
 */
export async function readyImprovements(
  ctx: AppContext,
  { operator_id }: Caller,
  days?: number,
): Promise<void> {
  const publication = currentPublication(ctx);
  const operator = operatorOf(ctx, operator_id);
  const key = keyOf(operator, days);
  if (known.has(publication, key)) return;
  const span = spanOf(publication, days);
  const ofModels = new ModelDays();
  const add = (part: Parameters<typeof signedPart>[1]) => {
    ofModels.add(signedPart(ctx.store, part));
  };
  const isOne = await eachPart(ctx.store, operator, namesOf(span), add, NAMED);
  if (!isOne) return;
  await anotherTurn();
  const usage = ofModels.all();
  await anotherTurn();
  const { class_tier, diagnosed } = diagnosedOf(ctx, publication, operator, { ...span, usage });
  const steps = improvementSteps(diagnosed);
  let step = steps.next();
  for (; !step.done; step = steps.next()) await anotherTurn();
  const diagnosis = step.value;
  known.read(publication, key, () => ({ class_tier, ...diagnosis }));
}

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
  const { class_tier, ...diagnosis } = known.read(publication, keyOf(operator, days), () =>
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

/** Nothing that it depends on changes without an entry in the log. */
function keyOf(operator: Operator, days: number | undefined): string {
  return `${changeKey(operator)} ${days ?? ''}`;
}

/** The first and the last day that is looked at, by number. */
function spanOf({ as_of }: Publication, days = Infinity) {
  const last = dayNumber(as_of);
  return { first: Math.max(firstDayOf(CLASS_WINDOW, last), last - days + 1), last };
}

function namesOf({ first, last }: ReturnType<typeof spanOf>) {
  return { from: dayName(first), to: dayName(last) };
}

function diagnose(
  ctx: AppContext,
  publication: Publication,
  operator: Operator,
  days?: number,
): Diagnosed {
  const span = spanOf(publication, days);
  const usage = signedUsage(ctx.store, operator.id, span.first);
  const { class_tier, diagnosed } = diagnosedOf(ctx, publication, operator, { ...span, usage });
  return { class_tier, ...improvementsOf(diagnosed) };
}

function diagnosedOf(
  { ruleset }: AppContext,
  publication: Publication,
  operator: Operator,
  days: { first: number; last: number; usage: readonly DayUsage[] },
) {
  const class_tier = publication.operators.classOf(operator.public_name);
  const nextClass = nextClassOf(publication, class_tier, days.usage);
  const activeDayTokens = ruleset.active_day_tokens;
  return { class_tier, diagnosed: { ...days, activeDayTokens, nextClass } };
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
