/** The hall of signal: the records. */
import * as z from 'zod';
import { BoardHead } from '../schema/board.ts';
import { MetricName } from '../schema/record.ts';
import { SignalRecord } from '../schema/signal-record.ts';
import { Format } from './list.ts';
import { PublicRead, defineRoute } from './route.ts';

const HallQuery = z.strictObject({ format: Format });
type HallQuery = z.infer<typeof HallQuery>;

const HallEntry = z
  .strictObject({
    metric: MetricName,
    record: SignalRecord.nullable().describe('The highest so far; null before the first.'),
    earlier: z
      .array(SignalRecord)
      .describe('Those that were beaten on the way to it, newest first, at most 50.'),
  })
  .meta({ id: 'HallEntry' });

const { log_index, as_of, generated_at, next_refresh_at } = BoardHead.shape;

export const HallOfSignal = z
  .strictObject({
    as_of: as_of.describe('The UTC day of the board.'),
    log_index,
    generated_at,
    next_refresh_at,
    metrics: z.array(HallEntry).describe('One for each metric.'),
  })
  .meta({ id: 'HallOfSignal' });
export type HallOfSignal = z.infer<typeof HallOfSignal>;

export const getHallOfSignal = defineRoute({
  ...PublicRead,
  id: 'getHallOfSignal',
  tag: 'board',
  path: '/api/v1/hall-of-signal',
  summary: 'The records, and who held them before',
  description:
    'A record is the highest conservative value of a metric in any 30 days on end: signed, over all tools, eligible as for 30 days. It is set by the board that first shows it. A record whose days do not give it any more, because a submission of them was taken back or refused, is not counted, and neither is one of who left.',
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
