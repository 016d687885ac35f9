/** Records: the highest conservative value of each metric over any 30 consecutive days. */
import * as z from 'zod';
import { object } from './object.ts';
import { Conservative, Interval } from './board.ts';
import { MetricName } from './record.ts';
import { Codename, Day, Timestamp, UuidV7 } from './scalars.ts';

export const SignalRecord = object('SignalRecord', 'A current or earlier record.', {
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  ruleset: z
    .string()
    .describe(
      'The version of the ranking rules under which it was set. Values under different versions cannot be compared.',
    ),
  value: Conservative,
  interval: Interval.describe('The interval of the metric over these days.'),
  first_day: Day.describe('The first of the 30 days.'),
  last_day: Day.describe('The last of the 30 days.'),
  achieved_at: Timestamp.describe('When the first board that shows the record was computed.'),
  submission: UuidV7.nullable().describe(
    'The newest submission with counts of these days; null if it is not public.',
  ),
});
export type SignalRecord = z.infer<typeof SignalRecord>;

export const RecordsHeld = z
  .array(MetricName)
  .describe('The metrics in which the operator holds the record.');
