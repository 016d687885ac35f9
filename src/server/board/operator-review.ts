/** A year or a month of an operator in review. */
import { SourceSums, usageByModel, usageByTool } from '#core/domain/board/breakdown.ts';
import {
  type NoReview,
  outsideOf,
  type ReviewSpan,
  reviewOf,
  reviewSpan,
  spansAround,
} from '#core/domain/board/review.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { type DomainError, refusalAmong } from '#core/domain/text/errors.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { type AccountSum, NAMED, accountSum, eachPart } from '../counting/bucket-turns.ts';
import { shownProfile } from '../operator/profile.ts';
import { RecentMemo } from '../process/recent-memo.ts';
import {
  currentPublication,
  noOperator,
  type PublicOperator,
  publicOperator,
} from '../publication/read/current-publication.ts';
import { readMilestones, readyMilestones } from './operator-milestones.ts';
import { readPeriodEnd } from './period-end.ts';
import { allSignedDays, calendarDays, firstDayWithTokens } from './operator-calendar.ts';

export type OperatorReview = ReturnType<typeof readReview>;

/** The review of a period, or the reason why there is none. Yields to the event loop. */
export async function findOperatorReview(
  ctx: AppContext,
  codename: string,
  period: string,
): Promise<
  | { sheet: OperatorReview; none: null; refusal: null }
  | { sheet: null; none: NoReview; refusal: null }
  | { sheet: null; none: null; refusal: DomainError }
> {
  try {
    if (!Codename.safeParse(codename).success) throw noOperator(codename);
    const operator = publicOperator(ctx, codename);
    await allSignedDays(ctx, operator).ready();
    const found = spanToReview(ctx, operator, reviewSpan(period));
    if ('reason' in found) return { sheet: null, none: found, refusal: null };
    await usedIn(ctx, operator, found).ready();
    await readyMilestones(ctx, codename);
    return { sheet: readReview(ctx, codename, found), none: null, refusal: null };
  } catch (error) {
    return { sheet: null, none: null, refusal: refusalAmong(error, 'not_found') };
  }
}

function todayOf(ctx: AppContext): number {
  return dayNumber(utcDay(ctx.now().getTime()));
}

function spanToReview(
  ctx: AppContext,
  operator: PublicOperator,
  span: ReviewSpan | null,
): NoReview | ReviewSpan {
  const first = firstDayWithTokens(allSignedDays(ctx, operator).read());
  const first_day = first === null ? null : dayName(first);
  if (span === null) return { reason: 'invalid', first_day };
  const today = todayOf(ctx);
  const reason = outsideOf(span, { first: first ?? today, today });
  if (reason !== null) return { reason, first_day };
  return first === null ? { reason: 'empty', first_day } : span;
}

function readReview(ctx: AppContext, codename: string, span: ReviewSpan) {
  const operator = publicOperator(ctx, codename);
  const { display_name } = shownProfile(ctx, operator);
  const usage = allSignedDays(ctx, operator).read();
  const { active_day_tokens } = ctx.ruleset;
  const today = todayOf(ctx);
  const first = firstDayWithTokens(usage) ?? today;
  const { as_of, ruleset, generated_at, next_refresh_at } = currentPublication(ctx);
  return {
    codename,
    display_name,
    as_of,
    ruleset,
    generated_at,
    next_refresh_at,
    active_day_tokens,
    span,
    /** The last day that has begun. */
    until: Math.min(span.last, today),
    ...spansAround(span, { first, today }),
    review: reviewOf(usage, span, ctx.ruleset),
    calendar: calendarDays(usage, span),
    milestones: readMilestones(ctx, codename).filter(({ day }) => {
      return dayNumber(day) >= span.first && dayNumber(day) <= span.last;
    }),
    end: readPeriodEnd(ctx, operator, span),
    ...usedIn(ctx, operator, span).read(),
  };
}

type Used = ReturnType<typeof usageByModel> & { tools: ReturnType<typeof usageByTool> };

/** The most periods whose tools and models are cached. */
const MAX_KEPT = 100;
const used = new RecentMemo<AppContext['store'], Used>(MAX_KEPT);

/** What counts in a period, by tool and model. */
function usedIn(
  { store }: Pick<AppContext, 'store'>,
  operator: PublicOperator,
  { name, first, last }: ReviewSpan,
): AccountSum<Used> {
  return accountSum({ store }, operator, { memo: used, owner: store, name }, function* () {
    const sums = new SourceSums();
    const days = { from: dayName(first), to: dayName(last) };
    yield* eachPart(store, operator, days, (part) => sums.add(store.usage.signed(part)), NAMED);
    yield;
    const parts = yield* sums.parts();
    yield;
    const tools = usageByTool(parts);
    yield;
    return { tools, ...usageByModel(parts) };
  });
}
