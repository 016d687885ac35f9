import {
  type ChallengeDetail,
  ChallengeQuery,
  ChallengesQuery,
} from '#core/contract/challenges.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { dayName, dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { refusalAmong } from '#core/domain/text/errors.ts';
import type { Challenge } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import { readChallenge, readChallenges } from './challenges.ts';

interface ListedChallenge extends Challenge {
  /** How many have a place, and how many take part without one. */
  total: number;
  unranked_total: number;
}

export interface ChallengeList {
  /** The newest first. */
  listed: ListedChallenge[];
  /** Whether there are older ones. */
  more: boolean;
  /** The first and the last day that an admin could give a new one. */
  example: { first_day: string; last_day: string };
}

/** The example begins in some days and takes two weeks. */
const EXAMPLE_BEGINS = 3;
const EXAMPLE_DAYS = 14;

/** The newest challenges, and days for another. */
export function readChallengeList(ctx: AppContext): ChallengeList {
  const newest = ChallengesQuery.parse({ limit: String(PAGE_LIMIT.max) });
  const first = ChallengeQuery.parse({ limit: '1' });
  const { entries, next_cursor } = readChallenges(ctx, newest);
  const listed = entries.map((challenge) => {
    const { total, unranked_total } = readChallenge(ctx, challenge.id, first);
    return { ...challenge, total, unranked_total };
  });
  const begins = dayNumber(utcDay(ctx.now().getTime())) + EXAMPLE_BEGINS;
  const example = { first_day: dayName(begins), last_day: dayName(begins + EXAMPLE_DAYS - 1) };
  return { listed, more: next_cursor !== null, example };
}

/**
 * What a challenge's page shows: the challenge with a page of its standings, `null` if there is none, or
 * `gone` if there is no such page of it.
 */
export function readChallengePage(
  ctx: AppContext,
  id: string,
  after: string | null,
): ChallengeDetail | 'gone' | null {
  const query = ChallengeQuery.safeParse(after === null ? {} : { cursor: after });
  if (!query.success) return 'gone';
  try {
    const challenge = readChallenge(ctx, id, query.data);
    const { entries, unranked } = challenge;
    return after !== null && entries.length + unranked.length === 0 ? 'gone' : challenge;
  } catch (error) {
    const { code } = refusalAmong(error, 'not_found', 'query_invalid', 'cursor_expired');
    return code === 'not_found' ? null : 'gone';
  }
}
