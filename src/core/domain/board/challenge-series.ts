/** The periods of challenges that repeat, as whole UTC days. */
import type { ChallengeEligibility, ChallengeTerms } from '#core/schema/challenge.ts';
import { dayAfter, dayBefore, dayName, dayNumber } from '../counting/day.ts';
import type { Fault } from '../text/errors.ts';

export const REPEAT_RULES = ['weekly', 'monthly'] as const;
export type RepeatRule = (typeof REPEAT_RULES)[number];

type Days = Pick<ChallengeTerms, 'first_day' | 'last_day'>;

interface Series extends Days {
  rule: RepeatRule;
}

/**
 * The first period after `newest` that is not over yet. Periods that were over before the board noticed, for example
 * because it did not run, are left out, and so are those of which a short month has less than two days.
 *
 * @param series The rule, and the days of the first period.
 */
export function nextPeriod(series: Series, newest: Days, today: string): Days {
  for (let at = 1; ; at += 1) {
    const period = periodAt(series, at);
    const { first_day, last_day } = period;
    if (first_day > newest.last_day && last_day > first_day && last_day >= today) return period;
  }
}

/** Why periods of these days would overlap; empty if they would not. */
export function repeatFaults({ rule, first_day, last_day }: Series): Fault[] {
  if (last_day < shifted(first_day, rule, 1)) return [];
  const most = rule === 'weekly' ? 'week' : 'month';
  const detail = `must be less than a ${most} after first_day if the challenge repeats ${rule}`;
  return [{ pointer: '#/last_day', code: 'custom', detail }];
}

/** Requirements that can be met in a period, which may be shorter than the one before. */
export function eligibilityIn(
  eligibility: ChallengeEligibility,
  { first_day, last_day }: Days,
): ChallengeEligibility {
  const length = dayNumber(last_day) - dayNumber(first_day) + 1;
  return {
    ...eligibility,
    active_days: Math.min(eligibility.active_days, length),
    effective_days: Math.min(eligibility.effective_days, Math.max(1, length - 1)),
  };
}

/** A period by its number. It ends before the next one begins, also if that is earlier in a short month. */
function periodAt({ rule, first_day, last_day }: Series, at: number): Days {
  const first = shifted(first_day, rule, at);
  const last =
    isMonthEnd(last_day) && rule === 'monthly'
      ? monthEnd(shifted(`${last_day.slice(0, 8)}01`, rule, at))
      : shifted(last_day, rule, at);
  const limit = dayBefore(shifted(first_day, rule, at + 1));
  return { first_day: first, last_day: last < limit ? last : limit };
}

function shifted(day: string, rule: RepeatRule, times: number): string {
  if (rule === 'weekly') return dayName(dayNumber(day) + 7 * times);
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const first = utc(year, month - 1 + times, 1);
  const last = monthEnd(first);
  const wanted = `${first.slice(0, 8)}${String(date).padStart(2, '0')}`;
  // A day that the month does not have becomes its last one.
  return wanted < last ? wanted : last;
}

function monthEnd(day: string): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return utc(year, month, 0);
}

function isMonthEnd(day: string): boolean {
  return dayAfter(day).endsWith('-01');
}

function utc(year: number, monthIndex: number, date: number): string {
  return new Date(Date.UTC(year, monthIndex, date)).toISOString().slice(0, 10);
}
