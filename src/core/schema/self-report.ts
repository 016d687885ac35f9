/** Self-reports: records that an operator sends by hand, which nobody signs. */
import * as z from 'zod';
import { object } from './object.ts';
import { OperatorRecord } from './record.ts';
import { UuidV7 } from './scalars.ts';
import { Envelope, MAX_RECORDS, Signature } from './snapshot.ts';
import { list } from './texts.ts';

export const SELF_REPORT_TYPE = 'opbench-self-report/1';
export const SELF_REPORT_PAYLOAD_TYPE = 'application/vnd.opbench.self-report.v1+json';

export const RecordList = object('RecordList', 'Several records.', {
  records: list(OperatorRecord, { min: 1, max: MAX_RECORDS }).describe('One a bucket.'),
});

/** What is sent: one record, or several. */
export const SelfReport = z.union([OperatorRecord, RecordList]);

export const SelfReportPayload = object('SelfReportPayload', {
  type: z.literal(SELF_REPORT_TYPE),
  operator: z.uuid().describe('The account, as the log names it.'),
  submission_id: UuidV7,
  records: z.array(OperatorRecord).min(1).max(MAX_RECORDS),
});
export type SelfReportPayload = z.infer<typeof SelfReportPayload>;

/** An envelope as the log keeps it: without a signature where nobody signed. */
export const LoggedEnvelope = object('LoggedEnvelope', 'What was submitted, DSSE v1.0.', {
  ...Envelope.shape,
  payload: z.string().min(1).describe('The exact bytes, base64.'),
  signatures: z
    .array(Signature)
    .max(1)
    .describe('Exactly one; none where the records were sent by hand, which nobody signed.'),
});
export type LoggedEnvelope = z.infer<typeof LoggedEnvelope>;

/** What a pasted text can be taken for. */
export const PastedFormat = z.enum(['ccusage', 'claude-code', 'codex', 'counts', 'records']);
export type PastedFormat = z.infer<typeof PastedFormat>;
