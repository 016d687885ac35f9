import * as z from 'zod';
import { BoardHead } from '../schema/board.ts';
import { Day, Label } from '../schema/scalars.ts';
import { MAX_TOOLS } from '../schema/usage.ts';
import { ListQuery, pageOf } from './list.ts';
import { NoParams, PublicRead, defineRoute } from './route.ts';

export const DaysQuery = z.strictObject(ListQuery);
export type DaysQuery = z.infer<typeof DaysQuery>;

const { log_index, ruleset, generated_at } = BoardHead.shape;

export const KeptDay = z
  .strictObject({
    day: Day.describe('The UTC day, as `as_of` takes it.'),
    log_index,
    ruleset,
    generated_at: generated_at.describe('When the last board of that day was computed.'),
    tools: z.array(Label).max(MAX_TOOLS).describe('The tools that had boards of their own.'),
  })
  .meta({ id: 'KeptDay' });
export type KeptDay = z.infer<typeof KeptDay>;

export const Days = z.strictObject(pageOf(KeptDay, 'Kept days')).meta({ id: 'Days' });
export type Days = z.infer<typeof Days>;

export const listDays = defineRoute({
  ...PublicRead,
  id: 'listDays',
  tag: 'board',
  path: '/api/v1/days',
  summary: 'Earlier days whose boards are kept, newest first',
  description:
    'The last board of each UTC day is kept once the day is over. `as_of` of the leaderboard and of an operator takes these days, and the current one.',
  params: NoParams,
  query: DaysQuery,
  reply: Days,
  table: { row: KeptDay, rows: ({ entries }) => entries },
  errors: [],
});
