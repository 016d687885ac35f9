/** Pasted usage: what records it would give. */
import * as z from 'zod';
import { object } from '../schema/object.ts';
import { PastedFormat } from '../schema/self-report.ts';
import { OperatorRecord } from '../schema/record.ts';
import { INGEST_BODY_LIMIT_BYTES, INGEST_LIMIT_BYTES } from './limits.ts';
import { defineRoute } from './route.ts';

const Text = z.string().min(1).max(INGEST_LIMIT_BYTES);

export const IngestText = object('IngestText', 'Usage as a tool or a person wrote it.', {
  text: Text.describe(`What was pasted, at most ${INGEST_LIMIT_BYTES} bytes.`),
});
export type IngestText = z.infer<typeof IngestText>;

const IngestWarning = object('IngestWarning', 'Something to know before the records are sent.', {
  code: z.string().describe('The kind of warning, for a program.'),
  detail: z.string().describe('What to look at, for a person.'),
});

export const IngestResult = object('IngestResult', 'The records that a text gives.', {
  formats: z.array(PastedFormat).describe('What the text was taken for.'),
  records: z.array(OperatorRecord).describe('By day, tool, provider and model.'),
  warnings: z.array(IngestWarning).describe('What to look at before sending them.'),
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
