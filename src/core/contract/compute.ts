/** What counts give, for who only wants to know: nothing of it is stored. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { Totals } from '../schema/board.ts';
import { list } from '../schema/texts.ts';
import { Cascade, Shape } from '../schema/operator.ts';
import { Metrics, Telemetry } from '../schema/record.ts';

/** The most records that are computed at once. */
const MAX_COMPUTED = 500;

/** The four pillars of one record or of several, in any order. */
export const ComputedRecords = z.strictObject({
  records: list(Telemetry, { min: 1, max: MAX_COMPUTED }).describe(
    'The four pillars of each: a day of one model in one tool, or any other span.',
  ),
});
export type ComputedRecords = z.infer<typeof ComputedRecords>;

const Warnings = z.array(z.string());

export const ComputedMetrics = object('ComputedMetrics', {
  stored: z.literal(false).describe('Nothing of what was given is stored.'),
  records: z
    .array(
      z.strictObject({
        metrics: Metrics.describe("Rounded as an Operator Record's: 2, 1, 3, 4 and 2 decimals."),
        warnings: Warnings.describe('One line for each null, causes first.'),
      }),
    )
    .describe('Each by itself, in the order given.'),
  together: z
    .strictObject({
      totals: Totals,
      metrics: Metrics.describe(
        'As a board computes them: each over the records that report what it needs, to 12 significant digits.',
      ),
      warnings: Warnings.describe('One line for each metric that is null.'),
      cascade: Cascade,
      shape: Shape.nullable().describe('Null without tokens.'),
    })
    .describe('All of them added up. A class is told of 90 days on a board, never of counts.'),
});
export type ComputedMetrics = z.infer<typeof ComputedMetrics>;
