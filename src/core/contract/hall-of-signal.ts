/** The records: the highest conservative value of each metric. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { BoardHead } from '../schema/board.ts';
import { MetricName } from '../schema/record.ts';
import { SignalRecord } from '../schema/signal-record.ts';
import { Format } from './list.ts';
import { defineRoute } from './route.ts';

const HallQuery = z.strictObject({ format: Format });
type HallQuery = z.infer<typeof HallQuery>;

const HallEntry = object('HallEntry', {
  metric: MetricName,
  record: SignalRecord.nullable().describe('The current record; null before the first one.'),
  earlier: z.array(SignalRecord).describe('Previous records, newest first, at most 50.'),
});

const { log_index, as_of, generated_at, next_refresh_at } = BoardHead.shape;

export const HallOfSignal = object('HallOfSignal', {
  as_of: as_of.describe('The UTC day of the board.'),
  log_index,
  generated_at,
  next_refresh_at,
  metrics: z.array(HallEntry).describe('One for each metric.'),
});
export type HallOfSignal = z.infer<typeof HallOfSignal>;

export const getHallOfSignal = defineRoute('getHallOfSignal', {
  auth: 'public',
  query: HallQuery,
  reply: HallOfSignal,
  table: {
    row: z.strictObject({ metric: MetricName, standing: z.boolean(), ...SignalRecord.shape }),
    rows: ({ metrics }) =>
      metrics.flatMap(({ metric, record, earlier }) => [
        ...(record ? [{ metric, standing: true, ...record }] : []),
        ...earlier.map((beaten) => ({ metric, standing: false, ...beaten })),
      ]),
  },
});
