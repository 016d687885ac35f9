/** The corpus: the records of all operators who did not opt out. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { OperatorRecord, PrivacyMode } from '../schema/record.ts';
import { Codename } from '../schema/scalars.ts';
import { Trust } from '../schema/submission.ts';
import { defineRoute } from './route.ts';

const CorpusContext = z
  .strictObject({
    operator_id: Codename,
    privacy_mode: PrivacyMode,
    window: z.literal('1d').describe('The record covers one UTC day.'),
    account: z.uuid().describe('The ID of the account. It does not change with the codename.'),
    trust: Trust,
    cursor: z
      .string()
      .describe("The number of the operator's last change, a dot, and the number of the line."),
  })
  .describe('The operator of the record and its position in the corpus.')
  .meta({ id: 'CorpusContext' });

export const CorpusRecord = OperatorRecord.extend({ context: CorpusContext })
  .describe('The token counts of one operator, day, model and tool.')
  .meta({ id: 'CorpusRecord' });
export type CorpusRecord = z.infer<typeof CorpusRecord>;

export const CorpusEnd = object(
  'CorpusEnd',
  'The last line. It shows that the download is complete.',
  {
    log_index: z.int().min(0).describe('The value of `since` for the next download.'),
  },
);
export type CorpusEnd = z.infer<typeof CorpusEnd>;

/** A line of the corpus. */
const CorpusLine = z.union([CorpusRecord, CorpusEnd]);

export const CorpusQuery = z.strictObject({
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(0))
    .default(0)
    .describe(
      'Only operators who changed after this log entry, with all of their records; 0 for all operators.',
    ),
  cursor: z
    .string()
    .max(30)
    .optional()
    .describe('The `cursor` of the last complete line, to resume. `since` is then ignored.'),
});
export type CorpusQuery = z.infer<typeof CorpusQuery>;

export const getCorpus = defineRoute('getCorpus', {
  auth: 'key',
  query: CorpusQuery,
  reply: CorpusLine,
});
