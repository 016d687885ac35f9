/** Challenges and their standings. */
import * as z from 'zod';
import { BoardHead } from '../schema/board.ts';
import {
  Challenge,
  ChallengeContender,
  ChallengeEntry,
  ChallengeId,
  ChallengeStatus,
} from '../schema/challenge.ts';
import { Timestamp } from '../schema/scalars.ts';
import { ListQuery, pageOf } from './list.ts';
import { PublicRead, defineRoute } from './route.ts';

export const ChallengesQuery = z.strictObject({
  status: ChallengeStatus.optional().describe('Only those in this state.'),
  ...ListQuery,
});
export type ChallengesQuery = z.infer<typeof ChallengesQuery>;

export const Challenges = z
  .strictObject(pageOf(Challenge, 'Challenges'))
  .meta({ id: 'Challenges' });
export type Challenges = z.infer<typeof Challenges>;

export const listChallenges = defineRoute({
  ...PublicRead,
  id: 'listChallenges',
  tag: 'board',
  path: '/api/v1/challenges',
  summary: 'Challenges, the newest first',
  description: 'Live: also those that were made after the last publication.',
  query: ChallengesQuery,
  reply: Challenges,
  table: { row: Challenge, rows: ({ entries }) => entries },
});

export const ChallengeQuery = z.strictObject(ListQuery);
export type ChallengeQuery = z.infer<typeof ChallengeQuery>;

const { log_index, generated_at } = BoardHead.shape;

export const ChallengeDetail = z
  .strictObject({
    ...Challenge.shape,
    log_index: log_index
      .nullable()
      .describe(
        'The log entries that the standings are a function of; null where there are none, as before the first day.',
      ),
    generated_at: generated_at
      .nullable()
      .describe('When the standings were computed; null where there are none.'),
    frozen_at: Timestamp.nullable().describe(
      'Since when the standings are final; null while they can change.',
    ),
    unranked_total: z
      .int()
      .min(0)
      .describe('Operators with tokens that count who lack something to be ranked.'),
    provisional: z
      .boolean()
      .describe('Whether there are standings that can still change: the challenge is not closed.'),
    unranked: z
      .array(ChallengeContender)
      .describe(
        'While the standings are provisional: who lacks something to be ranked, by conservative value so far. They follow the places page by page, so that both together are at most `limit`.',
      ),
    ...pageOf(ChallengeEntry, 'Places'),
  })
  .describe('A challenge with its standings.')
  .meta({ id: 'ChallengeDetail' });
export type ChallengeDetail = z.infer<typeof ChallengeDetail>;

export const getChallenge = defineRoute({
  ...PublicRead,
  id: 'getChallenge',
  tag: 'board',
  path: '/api/v1/challenges/{id}',
  summary: 'One challenge, and who stands where',
  description:
    'Computed with each publication from what was signed, like a board of these days alone, until the challenge closes; then they are final. Who leaves or hides after that, or has lost a submission, leaves the place blank.',
  params: z.strictObject({ id: ChallengeId }),
  query: ChallengeQuery,
  reply: ChallengeDetail,
  table: { row: ChallengeEntry, rows: ({ entries }) => entries },
  errors: ['cursor_expired'],
});
