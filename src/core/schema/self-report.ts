/** Self-reports: unsigned records that an operator submits by hand. */
import * as z from 'zod';
import { object } from './object.ts';
import { OperatorRecord } from './record.ts';
import { UuidV7 } from './scalars.ts';
import { Envelope, MAX_RECORDS, Signature } from './snapshot.ts';
import { list } from './texts.ts';

export const SELF_REPORT_TYPE = 'opbench-self-report/1';
export const SELF_REPORT_PAYLOAD_TYPE = 'application/vnd.opbench.self-report.v1+json';

export const RecordList = object('RecordList', 'Several records.', {
  records: list(OperatorRecord, { min: 1, max: MAX_RECORDS }).describe(
    'One record for each daily count.',
  ),
});

/** The body of a self-report: one record, or several. */
export const SelfReport = z.union([OperatorRecord, RecordList]);

export const SelfReportPayload = object('SelfReportPayload', {
  type: z.literal(SELF_REPORT_TYPE),
  operator: z.uuid().describe('The ID of the account in the log.'),
  submission_id: UuidV7,
  records: z.array(OperatorRecord).min(1).max(MAX_RECORDS),
});
export type SelfReportPayload = z.infer<typeof SelfReportPayload>;

/** An envelope in the log. Self-reports have no signature. */
export const LoggedEnvelope = object('LoggedEnvelope', 'The envelope of a submission, DSSE v1.0.', {
  ...Envelope.shape,
  payload: z.string().min(1).describe('The exact bytes, base64.'),
  signatures: z
    .array(Signature)
    .max(1)
    .describe('Exactly one signature; none if the records were submitted by hand.'),
});
export type LoggedEnvelope = z.infer<typeof LoggedEnvelope>;

/** The formats that pasted text can have. */
export const PastedFormat = z.enum(['ccusage', 'claude-code', 'codex', 'counts', 'records']);
export type PastedFormat = z.infer<typeof PastedFormat>;
