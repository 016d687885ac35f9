/** The caller's ranks, over all tools and by tool. */
import * as z from 'zod';
import { object } from './object.ts';
import {
  Conservative,
  Interval,
  Movement,
  RankRange,
  UnrankedReason,
  WindowName,
} from './board.ts';
import { ToolClass } from './operator.ts';
import { Metrics } from './record.ts';
import { Shared } from './submission.ts';

export const MyStanding = object('MyStanding', "The caller's rank in one window.", {
  window: WindowName,
  metrics: Metrics.describe('Over the window, to 12 significant digits.'),
  conservative: Conservative.nullable().describe(
    'The conservative yield; null without an interval.',
  ),
  interval: Interval.nullable().describe('The interval of the yield; null if that is undefined.'),
  rank: z.int().min(1).nullable().describe('By yield; null while unranked.'),
  rank_range: RankRange.nullable().describe('Null while unranked.'),
  movement: Movement.nullable().describe('Null while unranked.'),
  total: z.int().min(0).describe('Ranked operators.'),
  reasons: z
    .array(UnrankedReason)
    .describe('The ranking requirements that are not met; empty when ranked.'),
});
export type MyStanding = z.infer<typeof MyStanding>;

export const MyTool = object('MyTool', "The caller's ranks on the board of one tool.", {
  ...ToolClass.shape,
  standings: z
    .array(MyStanding)
    .max(WindowName.options.length)
    .describe('One entry per window with tokens, shortest first; empty if the tool has no board.'),
});
export type MyTool = z.infer<typeof MyTool>;

export const SharedDays = z
  .strictObject({
    ...Shared.shape,
    days: z.int().min(0).describe('The number of UTC days of these records.'),
  })
  .describe('Counts that several devices of the caller reported. They count once.')
  .meta({ id: 'SharedDays' });
export type SharedDays = z.infer<typeof SharedDays>;
