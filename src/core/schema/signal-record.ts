/** Records: the highest conservative value of each metric over any 30 consecutive days. */
import * as z from 'zod';
import { object } from './object.ts';
import { Interval } from './board.ts';
import { MetricName } from './record.ts';
import { Codename, Day, Timestamp, UuidV7 } from './scalars.ts';

export const SignalRecord = object('SignalRecord', 'A current or earlier record.', {
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  value: z
    .number()
    .describe(
      'The conservative value, the lower bound of the 95% interval, to 12 significant digits.',
    ),
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
