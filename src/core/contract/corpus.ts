/** The corpus: the records of all who let theirs be used. */
import * as z from 'zod';
import { OperatorRecord, PrivacyMode } from '../schema/record.ts';
import { Codename } from '../schema/scalars.ts';
import { Trust } from '../schema/submission.ts';
import { defineRoute } from './route.ts';

/** One JSON value a line, each ended by a line feed. */
const NDJSON_MEDIA_TYPE = 'application/x-ndjson';

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

export const CorpusEnd = z
  .strictObject({
    log_index: z.int().min(0).describe('What to ask for next time with `since`.'),
  })
  .describe('The last line: nothing is missing before it.')
  .meta({ id: 'CorpusEnd' });
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

const DESCRIPTION = `One Operator Record a line, and a last line that tells \`log_index\`.
Operators stand in the order of their last change, each with all of its records: what was held of an \`account\` before is replaced by the lines whose cursor begins with a higher number.
An operator who changes while the corpus is sent stands in it again, further down.
To go on after a break, ask with the cursor of the last line that was received whole. To stay up to date, ask with \`since\` what the last line told.
Records of one operator that are alike in day and source come from several devices and add up.
Operators who opted out, are private or anonymous are not in it: records of an anonymous operator could be recognised by their counts.
Who has left is not told: drop what a whole corpus does not hold any more, at least once in 30 days.`;

export const getCorpus = defineRoute({
  id: 'getCorpus',
  tag: 'operators',
  method: 'GET',
  path: '/api/v1/corpus',
  summary: 'The records of all operators who let theirs be used',
  description: DESCRIPTION,
  auth: 'key',
  limit: 'key',
  query: CorpusQuery,
  reply: CorpusLine,
  replyType: NDJSON_MEDIA_TYPE,
  streamed: true,
  fileName: 'corpus.ndjson',
});
