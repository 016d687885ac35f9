/** Signal records: the best that anybody did by a metric in 30 days on end. */
import * as z from 'zod';
import { object } from './object.ts';
import { Interval } from './board.ts';
import { MetricName } from './record.ts';
import { Codename, Day, Timestamp, UuidV7 } from './scalars.ts';

export const SignalRecord = object('SignalRecord', 'What an operator held a record with.', {
  codename: Codename,
  display_name: z.string().nullable().describe('Null unless the operator shows it.'),
  value: z
    .number()
    .describe('The conservative value, the lower end of the interval, to 12 significant digits.'),
  interval: Interval.describe('Of the metric over these days.'),
  first_day: Day.describe('The first of the 30 days.'),
  last_day: Day.describe('The last of them.'),
  achieved_at: Timestamp.describe('When the board that first showed it was computed.'),
  submission: UuidV7.nullable().describe(
    'The last submission that these days are made of; null where the operator does not show it.',
  ),
});
export type SignalRecord = z.infer<typeof SignalRecord>;

export const RecordsHeld = z
  .array(MetricName)
  .describe('The metrics of which the operator holds the record in the hall of signal.');
