/** Texts of challenges. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import { count, momentText } from '../text/format.ts';
import type { Challenge, ChallengeStatus } from '#core/schema/challenge.ts';

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
