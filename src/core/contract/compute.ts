/** Computes metrics from token counts without storing anything. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Totals } from '../schema/board.ts';
import { list } from '../schema/texts.ts';
import { Cascade, Shape } from '../schema/operator.ts';
import { Metrics, Telemetry } from '../schema/record.ts';

/** The maximum number of records in a call. */
const MAX_COMPUTED = 500;

/** Token counts of one or more records, in any order. */
export const ComputedRecords = z.strictObject({
  records: list(Telemetry, { min: 1, max: MAX_COMPUTED }).describe(
    'Token counts of each record: a day of one model in one tool, or any other period.',
  ),
});
export type ComputedRecords = z.infer<typeof ComputedRecords>;

const Warnings = z.array(z.string());

export const ComputedMetrics = object('ComputedMetrics', {
  stored: z.literal(false).describe('Nothing is stored.'),
  records: z
    .array(
      z.strictObject({
        metrics: Metrics.describe('Rounded as in an Operator Record: 2, 1, 3, 4 and 2 decimals.'),
        warnings: Warnings.describe('One line for each null metric, causes first.'),
      }),
    )
    .describe('The metrics of each record, in the given order.'),
  together: z
    .strictObject({
      totals: Totals,
      metrics: Metrics.describe(
        'Computed as on a board, to 12 significant digits. Each metric covers the records that report its token types.',
      ),
      warnings: Warnings.describe('One line for each null metric.'),
      cascade: Cascade,
      shape: Shape.nullable().describe('Null without tokens.'),
    })
    .describe('All records together. They have no class: a class depends on 90 days on a board.'),
});
export type ComputedMetrics = z.infer<typeof ComputedMetrics>;
