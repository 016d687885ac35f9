/** The milestones of an operator. */
import { type Milestone, type MilestoneFacts, milestonesOf } from '#core/domain/board/milestone.ts';
import { historyOf } from '#core/domain/metrics/history.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { frozenStandings } from '../challenge/challenges.ts';
import {
  currentPublication,
  noOperator,
  type PublicOperator,
  publicOperator,
} from '../publication/read/current-publication.ts';
import { allSignedDays } from './operator-calendar.ts';
import { readStandingNow } from './period-end.ts';
import { stoodBefore } from './stood-days.ts';

/** Prepares the data for {@linkcode readMilestones}. Yields to the event loop. */
export async function readyMilestones(ctx: AppContext, codename: string): Promise<void> {
  const operator = publicOperator(ctx, codename);
  await allSignedDays(ctx, operator).ready();
  await stoodBefore(ctx, operator).ready();
}

/**
 * All milestones, newest first.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readMilestones(ctx: AppContext, codename: string): Milestone[] {
  const operator = publicOperator(ctx, codename);
  const before = stoodBefore(ctx, operator).read();
  const { day, rank, class_tier } = readStandingNow(ctx, operator);
  return milestonesOf({
    days: historyOf(allSignedDays(ctx, operator).read(), 'day'),
    activeDayTokens: ctx.ruleset.active_day_tokens,
    ranks: [...before.ranks, { day, rank }],
    classes: [...before.classes, { day, class_tier }],
    records: recordsOf(ctx, codename),
    challenges: placementsOf(ctx, operator),
  });
}

/** The most entries of an operator's feed. */
const MAX_ITEMS = 40;

/**
 * The newest milestones. Yields to the event loop.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export async function readMilestoneFeed(ctx: AppContext, codename: string) {
  if (!Codename.safeParse(codename).success) throw noOperator(codename);
  await readyMilestones(ctx, codename);
  const { generated_at } = currentPublication(ctx);
  const milestones = readMilestones(ctx, codename).slice(0, MAX_ITEMS);
  const { public_id: id } = publicOperator(ctx, codename);
  return { id, codename, generated_at, milestones };
}

function recordsOf(ctx: AppContext, codename: string): MilestoneFacts['records'] {
  const { records } = currentPublication(ctx);
  return METRIC_NAMES.flatMap((metric) => {
    const own = records.of(metric).filter((record) => record.codename === codename);
    return own.map(({ achieved_at }) => ({ metric, achieved_at }));
  });
}

/** Final standings without those that are blank because a submission no longer counts. */
function placementsOf(
  ctx: AppContext,
  { id, codename }: PublicOperator,
): MilestoneFacts['challenges'] {
  const { challenges } = ctx.store;
  return challenges.all().flatMap((row) => {
    const place = row.frozen_at === null ? undefined : challenges.placeOf(row.seq, id);
    if (place === undefined) return [];
    const { entries, total, frozen_at } = frozenStandings(ctx, row, place - 1, 1);
    const day = (frozen_at ?? '').slice(0, 10);
    return entries
      .filter((entry) => entry.codename === codename)
      .map(({ rank }) => ({ id: row.id, title: row.title, day, rank, total }));
  });
}
