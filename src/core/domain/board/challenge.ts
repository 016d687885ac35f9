/**
 * Challenges: competitions over whole UTC days. Their state follows from their days and the clock.
 *
 * @module
 */
import type { WindowName } from '#core/schema/board.ts';
import {
  ChallengeId,
  type ChallengeEligibility,
  type ChallengeStatus,
  type ChallengeTerms,
} from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import { DAY_MS, dayNumber, utcDay } from '../counting/day.ts';
import type { Fault } from '../text/errors.ts';
import { type Eligibility, type Ruleset, eligibilityIn } from './ruleset.ts';

/** Days after the last one in which counts can still be submitted. */
export const GRACE_DAYS = 2;

/** A single day has no interval. */
const MIN_DAYS = 2;
const MAX_DAYS = 366;

/** The terms by which a challenge ranks. */
export interface RankedChallenge {
  /** Its number in the store. */
  seq: number;
  metric: MetricName;
  /** The only tool that counts; null for all. */
  tool: string | null;
  /** The numbers of its first and last day. */
  first: number;
  last: number;
  eligibility: ChallengeEligibility;
  /** How intervals are computed; see {@linkcode Ruleset}. */
  interval: string | undefined;
}

/** The days of a challenge. */
type ChallengeDays = Pick<ChallengeTerms, 'first_day' | 'last_day'>;

/** The instant after which submissions no longer count, in epoch milliseconds. */
export function closesAtMs({ last_day }: Pick<ChallengeTerms, 'last_day'>): number {
  return (dayNumber(last_day) + 1 + GRACE_DAYS) * DAY_MS;
}

/** The status of a challenge at an instant. */
export function challengeStatus(
  { cancelled_at, ...days }: ChallengeDays & { cancelled_at: string | null },
  nowMs: number,
): ChallengeStatus {
  if (cancelled_at !== null) return 'cancelled';
  const today = utcDay(nowMs);
  if (today < days.first_day) return 'upcoming';
  if (today <= days.last_day) return 'active';
  return nowMs < closesAtMs(days) ? 'scoring' : 'complete';
}

/** The requirements of a challenge: those of the ruleset for its days, changed by what the admin wants. */
export function eligibilityFor(
  ruleset: Ruleset,
  days: ChallengeDays,
  wanted: Partial<ChallengeEligibility> = {},
): ChallengeEligibility {
  const length = Math.max(MIN_DAYS, lengthOf(days));
  const base: Eligibility = eligibilityIn(ruleset, windowFor(length));
  return {
    active_day_tokens: ruleset.active_day_tokens,
    ...base,
    active_days: Math.min(base.active_days, length),
    // Only days of exactly equal size would give as many effective days.
    effective_days: Math.min(base.effective_days, length - 1),
    ...wanted,
  };
}

/** The challenge ID made from a title; null if the title gives no valid one. */
export function challengeIdOf(title: string): string | null {
  const words = title.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const id = words
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-|-$/g, '');
  return ChallengeId.safeParse(id).success ? id : null;
}

/** Why nobody could take part on these days or meet the requirements; empty if they are possible. */
export function challengeFaults(
  { eligibility, ...days }: Pick<ChallengeTerms, 'eligibility' | 'first_day' | 'last_day'>,
  nowMs: number,
): Fault[] {
  const today = utcDay(nowMs);
  const length = lengthOf(days);
  const isPast = days.first_day < today;
  const past = isPast ? [fault('first_day', `must not be before today, ${today}`)] : [];
  if (length < 1) return [...past, fault('last_day', 'must not be before first_day')];
  if (length < MIN_DAYS) {
    return [...past, fault('last_day', `must be at least ${MIN_DAYS - 1} day after first_day`)];
  }
  if (length > MAX_DAYS) {
    return [
      ...past,
      fault('last_day', `must make a challenge of at most ${MAX_DAYS} days, not ${length}`),
    ];
  }
  const names = (['active_days', 'effective_days'] as const).filter((name) => {
    return eligibility[name] > length;
  });
  const detail = `must be at most ${length}, the days of the challenge`;
  return [...past, ...names.map((name) => fault(`eligibility/${name}`, detail))];
}

function fault(place: string, detail: string): Fault {
  return { pointer: `#/${place}`, code: 'custom', detail };
}

function lengthOf({ first_day, last_day }: ChallengeDays): number {
  return dayNumber(last_day) - dayNumber(first_day) + 1;
}

/** The window whose rules apply to a length. */
function windowFor(days: number): WindowName {
  if (days <= 7) return '7d';
  return days <= 30 ? '30d' : '90d';
}
