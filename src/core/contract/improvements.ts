/** What the caller's own days show about how to raise the yield. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardHead, ClassTier } from '../schema/board.ts';
import { Diagnosis } from '../schema/improvement.ts';
import { shortLimit } from './peers.ts';
import { defineRoute } from './route.ts';

export const ImprovementsQuery = z.strictObject({ limit: shortLimit('Entries') });
export type ImprovementsQuery = z.infer<typeof ImprovementsQuery>;

export const Improvements = object('Improvements', {
  as_of: BoardHead.shape.as_of,
  log_index: BoardHead.shape.log_index.describe(
    'The log entries that class and medians are computed from. The days are current.',
  ),
  class_tier: ClassTier,
  ...Diagnosis.shape,
});
export type Improvements = z.infer<typeof Improvements>;

export const getImprovements = defineRoute('getImprovements', {
  auth: 'operator',
  query: ImprovementsQuery,
  reply: Improvements,
});
