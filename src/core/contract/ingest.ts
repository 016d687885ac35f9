/** Conversion of pasted usage to records. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { PastedFormat } from '../schema/self-report.ts';
import { OperatorRecord } from '../schema/record.ts';
import { INGEST_BODY_LIMIT_BYTES, INGEST_LIMIT_BYTES } from './limits.ts';
import { defineRoute } from './route.ts';

const Text = z.string().min(1).max(INGEST_LIMIT_BYTES);

export const IngestText = object('IngestText', 'Token usage as text.', {
  text: Text.describe(`The pasted text, at most ${INGEST_LIMIT_BYTES} bytes.`),
});
export type IngestText = z.infer<typeof IngestText>;

const IngestWarning = object('IngestWarning', 'Something to check before you submit the records.', {
  code: z.string().describe('The kind of warning, for a program.'),
  detail: z.string().describe('What to check, for a person.'),
});

export const IngestResult = object('IngestResult', 'The records found in a text.', {
  formats: z.array(PastedFormat).describe('The formats recognized in the text.'),
  records: z.array(OperatorRecord).describe('Sorted by day, tool, provider and model.'),
  warnings: z.array(IngestWarning).describe('What to check before you submit the records.'),
});
export type IngestResult = z.infer<typeof IngestResult>;

export const parseUsage = defineRoute('parseUsage', {
  auth: 'account',
  body: IngestText,
  contents: { 'text/plain': Text.transform((text): IngestText => ({ text })) },
  bodyLimitBytes: INGEST_BODY_LIMIT_BYTES,
  accepts: ['application/json', 'text/plain'],
  reply: IngestResult,
});
