/** Where the caller stands, over all tools and by tool. */
import * as z from 'zod';
import { object } from './object.ts';
import { Interval, Movement, RankRange, UnrankedReason, WindowName } from './board.ts';
import { ToolClass } from './operator.ts';
import { Metrics } from './record.ts';
import { Shared } from './submission.ts';

export const MyStanding = object('MyStanding', 'Where the caller stands in one window.', {
  window: WindowName,
  metrics: Metrics.describe('Over the window, to 12 significant digits.'),
  interval: Interval.nullable().describe('Of the yield; null where that is undefined.'),
  rank: z.int().min(1).nullable().describe('By yield; null while unranked.'),
  rank_range: RankRange.nullable().describe('Null while unranked.'),
  movement: Movement.nullable().describe('Null while unranked.'),
  total: z.int().min(0).describe('Ranked operators.'),
  reasons: z.array(UnrankedReason).describe('What is missing to be ranked; empty when ranked.'),
});
export type MyStanding = z.infer<typeof MyStanding>;

export const MyTool = object('MyTool', 'Where the caller stands among those who use one tool.', {
  ...ToolClass.shape,
  standings: z
    .array(MyStanding)
    .max(WindowName.options.length)
    .describe(
      "On the tool's own board: one for each window with tokens, shortest first; empty without a board.",
    ),
});
export type MyTool = z.infer<typeof MyTool>;

export const SharedDays = z
  .strictObject({
    ...Shared.shape,
    days: z.int().min(0).describe('Different UTC days of these records.'),
  })
  .describe('What several devices of the caller stated, and that counts once.')
  .meta({ id: 'SharedDays' });
export type SharedDays = z.infer<typeof SharedDays>;
