/** The caller's daily counts: what each device reported, and how much of it counts. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Day, Label, OwnLabel, Timestamp, TokenCount, UuidV7 } from '../schema/scalars.ts';
import { OwnListQuery, pageOf } from './list.ts';
import { defineRoute } from './route.ts';

const DeviceId = z.uuid();

export const CountsQuery = z.strictObject({
  device: DeviceId.optional().describe('Only counts that this device of the caller reported.'),
  from: Day.optional().describe('The first UTC day. Default: the first day with a count.'),
  to: Day.optional().describe('The last UTC day. Default: the last day with a count.'),
  ...OwnListQuery,
});
export type CountsQuery = z.infer<typeof CountsQuery>;

const FourPillars = {
  input: TokenCount,
  output: TokenCount,
  cache_write: TokenCount.nullable().describe('Null if the tool does not report it.'),
  cache_read: TokenCount.nullable().describe('Null if the tool does not report it.'),
};

export const DailyCount = z
  .strictObject({
    device: DeviceId.describe('The device that reported it.'),
    label: OwnLabel.describe("The device's name in the settings."),
    day: Day,
    tool: Label,
    provider: Label,
    model: Label,
    ...FourPillars,
    fingerprint: z
      .string()
      .max(80)
      .nullable()
      .describe('The `context.fingerprint` of the record; null if it had none.'),
    stated_at: Timestamp.describe('When the board received the submission.'),
    submission: UuidV7.describe('The ID of the submission that contains it.'),
    counted: z.strictObject(FourPillars).describe('How much of it counts; zeros if nothing does.'),
    same_as: DeviceId.nullable().describe(
      'The device that reported the same responses, if they count there; null if everything counts here.',
    ),
  })
  .meta({
    id: 'DailyCount',
    description: 'The token counts of one day, tool and model on one device.',
  });
export type DailyCount = z.infer<typeof DailyCount>;

export const Counts = object('Counts', pageOf(DailyCount, 'Daily counts'));
export type Counts = z.infer<typeof Counts>;

export const listCounts = defineRoute('listCounts', {
  auth: 'operator',
  query: CountsQuery,
  reply: Counts,
  table: { row: DailyCount, rows: ({ entries }) => entries },
});
