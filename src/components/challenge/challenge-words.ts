/** Texts of challenges. */
import { DAY_MS, dayNumber } from '#core/domain/counting/day.ts';
import type { Challenge, ChallengeEntry, ChallengeStatus } from '#core/schema/challenge.ts';
import { count, listText, momentText } from '../text/format.ts';

interface StatusWords {
  label: string;
  meaning: string;
}

export const STATUS_WORDS: Readonly<Record<ChallengeStatus, StatusWords>> = {
  upcoming: {
    label: 'Upcoming',
    meaning: 'Counts are included from the first day.',
  },
  active: {
    label: 'Running',
    meaning: 'Submissions for these days count as they arrive, and standings change with them.',
  },
  scoring: {
    label: 'Late submissions',
    meaning:
      'The days are over. Counts for them can still be submitted for 48 hours, and standings can still change.',
  },
  complete: {
    label: 'Complete',
    meaning: 'Final. Standings no longer change.',
  },
  cancelled: {
    label: 'Canceled',
    meaning: 'The admin canceled this challenge. It has no standings.',
  },
};

/** The order of the list. */
export const STATUS_ORDER = Object.keys(STATUS_WORDS) as ChallengeStatus[];

type Clock = Pick<Challenge, 'cancelled_at' | 'closes_at' | 'first_day' | 'last_day' | 'status'>;

/** The last or next change of the status, and its time. */
export function turningPoint(challenge: Clock): { words: string; at: string } {
  const { status, first_day, last_day, closes_at, cancelled_at } = challenge;
  switch (status) {
    case 'upcoming':
      return { words: 'begins', at: startOf(first_day) };
    case 'active':
      return { words: 'ends', at: startOf(last_day, 1) };
    case 'scoring':
      return { words: 'closes', at: closes_at };
    case 'complete':
      return { words: 'closed', at: closes_at };
    case 'cancelled':
      return { words: 'canceled', at: cancelled_at ?? closes_at };
  }
}

/**
 * How long until the next change of the status. In whole days, because all changes are at midnight UTC: pages that are
 * prepared on the same day stay correct.
 *
 * @param today The current UTC day.
 * @returns Null if no change is left.
 * @example `ends in 3 days`
 */
export function countdownText(challenge: Clock, today: string): string | null {
  const { words, at } = turningPoint(challenge);
  const left = dayNumber(at.slice(0, 10)) - dayNumber(today);
  if (left <= 0) return null;
  return left === 1 ? `${words} at midnight UTC` : `${words} in ${count(left, 'day')}`;
}

/** How many places a podium has. */
const PODIUM_PLACES = 3;

/** The first places, for a podium; none if nobody on it is public any more. */
export function podiumOf<Entry extends Pick<ChallengeEntry, 'codename'>>(
  entries: readonly Entry[],
): readonly Entry[] {
  const podium = entries.slice(0, PODIUM_PLACES);
  return podium.some(({ codename }) => codename !== null) ? podium : [];
}

/**
 * The result of a challenge that is over; null if nobody with the first rank is public.
 *
 * @example `ada won, ahead of bob and cay.`
 */
export function resultText(
  entries: readonly Pick<ChallengeEntry, 'codename' | 'rank'>[],
): string | null {
  const podium = podiumOf(entries);
  const namesOf = (isFirst: boolean) =>
    podium.flatMap(({ codename, rank }) => ((rank === 1) === isFirst ? (codename ?? []) : []));
  const [first, others] = [namesOf(true), namesOf(false)];
  if (first.length === 0) return null;
  const ahead = others.length === 0 ? '' : `, ahead of ${listText(others)}`;
  return `${listText(first)} won${ahead}.`;
}

/** What pictures and podiums show in place of an operator who left or hid. */
export const NO_LONGER_SHOWN = 'No longer shown';

/**
 * When the first operator can have a rank, for standings without ranks.
 *
 * @param generated_at When the standings were computed; null if they were not yet.
 * @example `Standings appear when the first operator has 7 active days, on 28 Nov 2026 at the earliest.`
 */
export function awaitedText(
  { first_day, eligibility }: Pick<Challenge, 'eligibility' | 'first_day'>,
  generated_at: string | null,
): string {
  const { active_days } = eligibility;
  const text = `Standings appear when the first operator has ${count(active_days, 'active day')}`;
  const earliest = startOf(first_day, active_days - 1);
  if (generated_at !== null && generated_at.slice(0, 10) > earliest.slice(0, 10)) return `${text}.`;
  return `${text}, on ${momentText(earliest, 'date')} at the earliest.`;
}

/** The start of a UTC day, or of the day `later` days after it. */
function startOf(day: string, later = 0): string {
  return new Date(Date.parse(day) + later * DAY_MS).toISOString();
}

/** The length of a title that browser tabs and search results show. */
const SHORT_TITLE = 48;

/** Shortens a challenge's title for the title of its page. */
export function shortTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= SHORT_TITLE) return title;
  const kept = letters.slice(0, SHORT_TITLE - 1).join('');
  return `${kept.trimEnd()}…`;
}
