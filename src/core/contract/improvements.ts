/** What the caller's own days say about working better. */
import * as z from 'zod';
import { BoardHead, ClassTier } from '../schema/board.ts';
import { Diagnosis } from '../schema/improvement.ts';
import { shortLimit } from './peers.ts';
import { defineRoute } from './route.ts';

export const ImprovementsQuery = z.strictObject({ limit: shortLimit('Entries') });
export type ImprovementsQuery = z.infer<typeof ImprovementsQuery>;

export const Improvements = z
  .strictObject({
    as_of: BoardHead.shape.as_of,
    log_index: BoardHead.shape.log_index.describe(
      'The log entries that class and medians are a function of; the days are those of now.',
    ),
    class_tier: ClassTier,
    ...Diagnosis.shape,
  })
  .meta({ id: 'Improvements' });
export type Improvements = z.infer<typeof Improvements>;

export const getImprovements = defineRoute({
  id: 'getImprovements',
  tag: 'account',
  method: 'GET',
  path: '/api/v1/improvements',
  summary: "Where the caller's own days lose yield, and what other own days did better",
  description:
    "Over all that the caller's devices signed in the last 90 days. Targets are levels that own days have reached, and a simulated change never goes beyond them; `opbench improve` computes the same from the logs of one machine.",
  auth: 'operator',
  limit: 'public',
  query: ImprovementsQuery,
  reply: Improvements,
  errors: ['not_found'],
});
