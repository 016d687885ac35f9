/** Pasted usage: what records it would give. */
import * as z from 'zod';
import { PastedFormat } from '../schema/self-report.ts';
import { OperatorRecord } from '../schema/record.ts';
import { INGEST_BODY_LIMIT_BYTES, INGEST_LIMIT_BYTES } from './limits.ts';
import { defineRoute } from './route.ts';

const Text = z.string().min(1).max(INGEST_LIMIT_BYTES);

export const IngestText = z
  .strictObject({ text: Text.describe(`What was pasted, at most ${INGEST_LIMIT_BYTES} bytes.`) })
  .describe('Usage as a tool or a person wrote it.')
  .meta({ id: 'IngestText' });
export type IngestText = z.infer<typeof IngestText>;

const IngestWarning = z
  .strictObject({
    code: z.string().describe('The kind of warning, for a program.'),
    detail: z.string().describe('What to look at, for a person.'),
  })
  .describe('Something to know before the records are sent.')
  .meta({ id: 'IngestWarning' });

export const IngestResult = z
  .strictObject({
    formats: z.array(PastedFormat).describe('What the text was taken for.'),
    records: z.array(OperatorRecord).describe('By day, tool, provider and model.'),
    warnings: z.array(IngestWarning).describe('What to look at before sending them.'),
  })
  .describe('The records that a text gives.')
  .meta({ id: 'IngestResult' });
export type IngestResult = z.infer<typeof IngestResult>;

const DESCRIPTION = `Understands the JSON of ccusage (by day, or by session where it tells first and last activity), lines of Claude Code and Codex logs, Operator Records as JSON or one a line, and four token counts: labelled, or input, output, cache write and cache read in this order.
Nothing is stored or logged, and nothing counts until the records are sent to \`/api/v1/snapshots\`.
Raw logs hold whole conversations: paste them only to a board whose keeper you trust with them. The command \`opbench\` reads them without sending them.`;

export const parseUsage = defineRoute({
  id: 'parseUsage',
  tag: 'log',
  method: 'POST',
  path: '/api/v1/ingest-parse',
  summary: 'The Operator Records that pasted usage would give',
  description: DESCRIPTION,
  auth: 'account',
  limit: 'writes',
  body: IngestText,
  contents: { 'text/plain': Text.transform((text): IngestText => ({ text })) },
  bodyLimitBytes: INGEST_BODY_LIMIT_BYTES,
  accepts: ['application/json', 'text/plain'],
  reply: IngestResult,
  errors: ['ingest_unreadable', 'count_out_of_range'],
});
