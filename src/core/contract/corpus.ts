/** The corpus: the records of all who let theirs be used. */
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
    account: z.uuid().describe('Stays the same when the operator takes another codename.'),
    trust: Trust,
    cursor: z.string().describe("The operator's last change, a dot, and which of its lines it is."),
  })
  .describe('Whose record it is, and where it stands in the corpus.')
  .meta({ id: 'CorpusContext' });

export const CorpusRecord = OperatorRecord.extend({ context: CorpusContext })
  .describe('One day of one model in one tool of one operator.')
  .meta({ id: 'CorpusRecord' });
export type CorpusRecord = z.infer<typeof CorpusRecord>;

export const CorpusEnd = object('CorpusEnd', 'The last line: nothing is missing before it.', {
  log_index: z.int().min(0).describe('What to ask for next time with `since`.'),
});
export type CorpusEnd = z.infer<typeof CorpusEnd>;

/** What one line may be. */
const CorpusLine = z.union([CorpusRecord, CorpusEnd]);

export const CorpusQuery = z.strictObject({
  since: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(0))
    .default(0)
    .describe('Only operators who changed after this log entry, each whole; 0 for all.'),
  cursor: z
    .string()
    .max(30)
    .optional()
    .describe('From the last line that was received whole; `since` is then not read.'),
});
export type CorpusQuery = z.infer<typeof CorpusQuery>;

export const getCorpus = defineRoute('getCorpus', {
  auth: 'key',
  query: CorpusQuery,
  reply: CorpusLine,
});
