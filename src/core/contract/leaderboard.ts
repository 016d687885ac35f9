import * as z from 'zod';
import { BoardEntry, BoardHead, UnrankedEntry, WindowName } from '../schema/board.ts';
import { MetricName } from '../schema/record.ts';
import { PAGE_LIMIT } from './limits.ts';
import { NoBody, defineRoute } from './route.ts';

export const LeaderboardQuery = z.strictObject({
  window: WindowName.default('30d'),
  metric: MetricName.default('yield').describe('The metric to rank by.'),
  include: z
    .literal('unranked')
    .optional()
    .describe('Adds those who are not ranked, and what each lacks.'),
  limit: z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(1).max(PAGE_LIMIT.max))
    .default(PAGE_LIMIT.default)
    .describe('Entries on a page.'),
  cursor: z.string().max(100).optional().describe('From next_cursor; belongs to one publication.'),
});
export type LeaderboardQuery = z.infer<typeof LeaderboardQuery>;

export const Leaderboard = z
  .strictObject({
    ...BoardHead.shape,
    total: z.int().describe('Ranked operators.'),
    entries: z.array(BoardEntry),
    next_cursor: z.string().nullable().describe('Null on the last page.'),
    unranked_total: z.int().optional().describe('Operators with tokens in the window but no rank.'),
    unranked: z.array(UnrankedEntry).optional().describe('By codename, at most `limit`.'),
  })
  .meta({ id: 'Leaderboard' });
export type Leaderboard = z.infer<typeof Leaderboard>;

export const getLeaderboard = defineRoute({
  method: 'GET',
  path: '/api/v1/leaderboard',
  summary: 'Ranked operators',
  auth: 'public',
  cacheSeconds: 60,
  query: LeaderboardQuery,
  ...NoBody,
  reply: Leaderboard,
  errors: ['cursor_expired'],
});
