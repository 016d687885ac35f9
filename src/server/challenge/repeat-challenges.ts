/** Creates the next challenge of each series when one has ended. */
import { type RepeatRule, eligibilityIn, nextPeriod } from '#core/domain/board/challenge-series.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import { logFailure } from '../process/storage-fault.ts';
import type { AppContext } from '../context.ts';

const EVERY_MS = 60_000;
/** How long an ID may be before the day is added to it. */
const SLUG = 49;
/** How many IDs are tried if an admin has used them for other challenges. */
const TRIES = 9;

type Series = ReturnType<AppContext['store']['challenges']['runningSeries']>[number];

/**
 * Creates the challenges that are due and returns their IDs. A period is created at most once, however often and from
 * wherever this is called. It can begin in the past if the board did not run when it was due.
 */
export function repeatChallenges(
  store: AppContext['store'],
  { ruleset, now }: { ruleset: Pick<Ruleset, 'id'>; now: Date },
): string[] {
  const today = utcDay(now.getTime());
  return store.challenges.runningSeries().flatMap((series) => {
    return store.transaction(() => addNext(store, series, { ruleset, now, today })) ?? [];
  });
}

function addNext(
  { challenges }: AppContext['store'],
  series: Series,
  { ruleset, now, today }: { ruleset: Pick<Ruleset, 'id'>; now: Date; today: string },
): string | null {
  const newest = challenges.newestOfSeries(series.id);
  const isStopped = challenges.series(series.id)?.stopped_at !== null;
  if (!newest || isStopped || newest.last_day >= today) return null;
  const days = nextPeriod(series, newest, today);
  const { title, description, metric, tool } = newest;
  const eligibility = eligibilityIn(newest.eligibility, days);
  const terms = { title, description, metric, tool, ...days, eligibility };
  const created_at = now.toISOString();
  const slug = `${series.slug.slice(0, SLUG).replace(/-+$/, '')}-${days.first_day.replaceAll('-', '')}`;
  for (let at = 1; at <= TRIES; at += 1) {
    const id = at === 1 ? slug : `${slug}-${at}`;
    const row = { ...terms, id, ruleset: ruleset.id, created_at, series: series.id };
    if (challenges.add(row)) return id;
  }
  return null;
}

/** Stops a challenge from repeating. Challenges that exist stay. */
export function stopRepeating(
  store: AppContext['store'],
  { id, now, by }: { id: string; now: Date; by?: Actor },
): void {
  store.transaction(() => {
    const row = store.challenges.byId(id);
    if (!row) throw new DomainError('not_found', `There is no challenge "${id}"`);
    const stopped_at = now.toISOString();
    if (row.series === null || !store.challenges.stopSeries({ id: row.series, stopped_at })) {
      throw new DomainError('state_conflict', `The challenge ${id} does not repeat`);
    }
    audit(store, {
      action: 'challenge_stop',
      subject: id,
      operator_id: null,
      reason: null,
      now,
      by,
    });
  });
}

/** How a challenge repeats; null if it does not, or not any more. */
export function repeatOf(
  { challenges }: AppContext['store'],
  { series }: { series: number | null },
): RepeatRule | null {
  const row = challenges.series(series);
  return row?.stopped_at === null ? row.rule : null;
}

/** Repeats challenges while the board runs, and publishes them. */
export function watchSeries(ctx: AppContext) {
  const look = async () => {
    const made = repeatChallenges(ctx.store, { ruleset: ctx.ruleset, now: ctx.now() });
    for (const challenge of made) ctx.logger.info('challenge_repeated', { challenge });
    if (made.length > 0) await ctx.publications.publishNow({ hides: false });
  };
  const run = () => {
    look().catch((error: unknown) => logFailure(ctx.logger, 'challenge_repeat_failed', error));
  };
  const timer = setInterval(run, EVERY_MS);
  timer.unref();
  return { run, stop: () => clearInterval(timer) };
}
