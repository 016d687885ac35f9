import {
  type ChallengeDetail,
  ChallengeQuery,
  ChallengesQuery,
} from '#core/contract/challenges.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { refusalAmong } from '#core/domain/text/errors.ts';
import type { Challenge } from '#core/schema/challenge.ts';
import type { AppContext } from '../context.ts';
import { readChallenge, readChallenges } from './challenges.ts';

interface ListedChallenge extends Challenge {
  /** The numbers of ranked and of other participants. */
  total: number;
  unranked_total: number;
}

export interface ChallengeList {
  /** The newest first. */
  listed: ListedChallenge[];
  /** Whether there are older challenges. */
  more: boolean;
}

/** The newest challenges. */
export function readChallengeList(ctx: AppContext): ChallengeList {
  const newest = ChallengesQuery.parse({ limit: String(PAGE_LIMIT.max) });
  const first = ChallengeQuery.parse({ limit: '1' });
  const { entries, next_cursor } = readChallenges(ctx, newest);
  const listed = entries.map((challenge) => {
    const { total, unranked_total } = readChallenge(ctx, challenge.id, first);
    return { ...challenge, total, unranked_total };
  });
  return { listed, more: next_cursor !== null };
}

/**
 * A challenge with a page of its standings; `null` if there is no such challenge, `gone` if there is no such page.
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
