/** Challenges and their standings. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
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
import { defineRoute } from './route.ts';

export const ChallengesQuery = z.strictObject({
  status: ChallengeStatus.optional().describe('Lists only challenges in this state.'),
  ...ListQuery,
});
export type ChallengesQuery = z.infer<typeof ChallengesQuery>;

export const Challenges = object('Challenges', pageOf(Challenge, 'Challenges'));
export type Challenges = z.infer<typeof Challenges>;

export const listChallenges = defineRoute('listChallenges', {
  auth: 'public',
  query: ChallengesQuery,
  reply: Challenges,
  table: { row: Challenge, rows: ({ entries }) => entries },
});

export const ChallengeQuery = z.strictObject(ListQuery);
export type ChallengeQuery = z.infer<typeof ChallengeQuery>;

const { log_index, generated_at } = BoardHead.shape;

export const ChallengeDetail = object('ChallengeDetail', 'A challenge with its standings.', {
  ...Challenge.shape,
  log_index: log_index
    .nullable()
    .describe(
      'The log entries that the standings are computed from; null if there are none, as before the first day.',
    ),
  generated_at: generated_at
    .nullable()
    .describe('When the standings were computed; null if there are none.'),
  frozen_at: Timestamp.nullable().describe(
    'When the standings became final; null while they can change.',
  ),
  unranked_total: z
    .int()
    .min(0)
    .describe('The number of operators with tokens that count who do not meet all requirements.'),
  provisional: z.boolean().describe('Whether there are standings that can still change.'),
  unranked: z
    .array(ChallengeContender)
    .describe(
      'While the standings are provisional: operators who do not meet all requirements, by conservative value so far. They follow the places; both together have at most `limit` entries per page.',
    ),
  ...pageOf(ChallengeEntry, 'Places'),
});
export type ChallengeDetail = z.infer<typeof ChallengeDetail>;

export const getChallenge = defineRoute('getChallenge', {
  auth: 'public',
  params: z.strictObject({ id: ChallengeId }),
  query: ChallengeQuery,
  reply: ChallengeDetail,
  table: { row: ChallengeEntry, rows: ({ entries }) => entries },
});
