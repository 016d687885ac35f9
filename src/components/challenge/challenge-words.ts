/** Texts about challenges. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { Challenge, ChallengeStatus } from '#core/schema/challenge.ts';

interface StatusWords {
  label: string;
  meaning: string;
}

export const STATUS_WORDS: Readonly<Record<ChallengeStatus, StatusWords>> = {
  upcoming: {
    label: 'Upcoming',
    meaning: 'Counting starts on the first day.',
  },
  active: {
    label: 'Running',
    meaning: 'Signed submissions for these days count as they arrive, and the standings change.',
  },
  scoring: {
    label: 'Accepting late submissions',
    meaning:
      'The period is over. Submissions for its days count for another 48 hours, and the standings can still change.',
  },
  complete: {
    label: 'Complete',
    meaning: 'Final. The standings no longer change.',
  },
  cancelled: {
    label: 'Canceled',
    meaning: 'The admin canceled this challenge. It has no standings.',
  },
};

/** The order of the list. */
export const STATUS_ORDER = Object.keys(STATUS_WORDS) as ChallengeStatus[];

type Clock = Pick<Challenge, 'cancelled_at' | 'closes_at' | 'first_day' | 'last_day' | 'status'>;

/** The time of the next status change, or of the last if there is none, and what happens then. */
export function turningPoint(challenge: Clock): { words: string; at: string } {
  const { status, first_day, last_day, closes_at, cancelled_at } = challenge;
  switch (status) {
    case 'upcoming':
      return { words: 'begins', at: startOf(first_day) };
    case 'active':
      return { words: 'last day ends', at: startOf(last_day, 1) };
    case 'scoring':
      return { words: 'closes', at: closes_at };
    case 'complete':
      return { words: 'closed', at: closes_at };
    case 'cancelled':
      return { words: 'canceled', at: cancelled_at ?? closes_at };
  }
}

/** The start of a UTC day, or of the day that is `later` days after it. */
function startOf(day: string, later = 0): string {
  return new Date(Date.parse(day) + later * DAY_MS).toISOString();
}

/** The first day on which an operator can have enough active days for a place, as YYYY-MM-DD. */
export function firstRankedDay({
  first_day,
  eligibility,
}: Pick<Challenge, 'eligibility' | 'first_day'>): string {
  return startOf(first_day, Math.max(eligibility.active_days - 1, 0)).slice(0, 10);
}

/** The length of titles in browser tabs and search results. */
const SHORT_TITLE = 48;

/** A challenge's title, shortened for the title of a page. */
export function shortTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= SHORT_TITLE) return title;
  const kept = letters.slice(0, SHORT_TITLE - 1).join('');
  return `${kept.trimEnd()}…`;
}
