/** What challenges are told as. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { Challenge, ChallengeStatus } from '#core/schema/challenge.ts';

interface StatusWords {
  label: string;
  meaning: string;
}

export const STATUS_WORDS: Readonly<Record<ChallengeStatus, StatusWords>> = {
  upcoming: {
    label: 'Upcoming',
    meaning: 'Nothing counts before the first day.',
  },
  active: {
    label: 'Running',
    meaning: 'What devices sign of these days counts as it comes in, and places change with it.',
  },
  scoring: {
    label: 'In scoring',
    meaning:
      'The days are over. What was done in them can still be sent for 48 hours, and places can still change.',
  },
  complete: {
    label: 'Complete',
    meaning: 'It is closed. Nobody moves up any more, whatever becomes of the others.',
  },
  cancelled: {
    label: 'Cancelled',
    meaning: 'The keeper called it off. It has no places.',
  },
};

/** In the order in which they are listed. */
export const STATUS_ORDER = Object.keys(STATUS_WORDS) as ChallengeStatus[];

type Clock = Pick<Challenge, 'cancelled_at' | 'closes_at' | 'first_day' | 'last_day' | 'status'>;

/** When the state changed last or changes next, and what happens then. */
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
      return { words: 'cancelled', at: cancelled_at ?? closes_at };
  }
}

/** The first instant of a UTC day, or of one some days later. */
function startOf(day: string, later = 0): string {
  return new Date(Date.parse(day) + later * DAY_MS).toISOString();
}

/** As much of a title as a tab of a browser and a list of results show. */
const SHORT_TITLE = 48;

/** A title that an admin may have made long, as the title of a page. */
export function shortTitle(title: string): string {
  const letters = [...title];
  if (letters.length <= SHORT_TITLE) return title;
  const kept = letters.slice(0, SHORT_TITLE - 1).join('');
  return `${kept.trimEnd()}…`;
}
