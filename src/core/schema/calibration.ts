/** Calibration: how often two parts of operators' own days agree within their intervals. */
import * as z from 'zod';
import { object } from './object.ts';
import { Day } from './scalars.ts';

const IntervalMethod = z.enum(['jackknife-95', 'week-80', 'week-95']);

const Agreement = object('Agreement', 'How often the two parts agree about a metric.', {
  operators: z.int().min(0).describe('The number of operators who have enough days in both parts.'),
  agreed: z.int().min(0).describe('For how many of them both parts agree.'),
  percent: z
    .number()
    .min(0)
    .max(100)
    .nullable()
    .describe('The same in percent, with one decimal; null without operators.'),
});
export type Agreement = z.infer<typeof Agreement>;

const MethodCalibration = object('MethodCalibration', 'The result of one interval method.', {
  method: IntervalMethod.describe('How the intervals are computed.'),
  expected_percent: z
    .number()
    .describe('The percentage to expect if the intervals hold and both parts are alike.'),
  yield: Agreement,
  leverage: Agreement,
  velocity: Agreement,
});
export type MethodCalibration = z.infer<typeof MethodCalibration>;

export const Calibration = object(
  'Calibration',
  "A back-test of the intervals on real days: each operator's last 90 days are split into the first 60 and the last 30, and the difference of the two values is compared with both intervals. Computed with each public log, from its entries.",
  {
    as_of: Day.describe('The last of the 90 days.'),
    log_index: z.int().min(1).describe('The last log entry that counts.'),
    method: IntervalMethod.nullable().describe(
      'The interval method of the ranking rules; null if this version does not know it.',
    ),
    methods: z
      .array(MethodCalibration)
      .describe('The method of the ranking rules first, then others for comparison.'),
  },
);
export type Calibration = z.infer<typeof Calibration>;
