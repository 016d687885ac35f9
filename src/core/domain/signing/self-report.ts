/**
 * Self-reports: records that an operator submits through a session or a connected app. They must meet the same
 * requirements as the contents of a signed snapshot, except that any timestamp is accepted and stands for its day.
 *
 * @module
 */
import { OperatorRecord } from '#core/schema/record.ts';
import {
  type LoggedEnvelope,
  RecordList,
  SELF_REPORT_PAYLOAD_TYPE,
  SELF_REPORT_TYPE,
  type SelfReportPayload,
} from '#core/schema/self-report.ts';
import { UNREAD_RECORDS } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { toBase64 } from '../text/base64.ts';
import { DomainError } from '../text/errors.ts';
import { parseAs, parseEach } from '../text/faults.ts';
import { parseJson } from '../text/json.ts';
import { judgeRecords } from './snapshot.ts';

const UnreadList = RecordList.extend(UNREAD_RECORDS);

/** The records of a self-report's text. */
interface ReadSelfReport {
  records: OperatorRecord[];
  /** Whether the text is one record and not a list. */
  isSingle: boolean;
}

/**
 * Parses the text of a self-report.
 *
 * @throws {DomainError} `malformed_json`, `json_key_duplicate` or `validation_failed`.
 */
export function readSelfReport(text: string): ReadSelfReport {
  const value = parseJson(text);
  const isList = typeof value === 'object' && value !== null && 'records' in value;
  const what = 'The body';
  if (!isList) return { records: [parseAs(OperatorRecord, value, what)], isSingle: true };
  const { records } = parseAs(UnreadList, value, what);
  return {
    records: parseEach(OperatorRecord, records, { name: 'records', what }),
    isSingle: false,
  };
}

/**
 * Checks a self-report and returns its buckets.
 *
 * @param nowMs The instant of receipt, in milliseconds since the epoch.
 * @throws {DomainError} `window_unsupported`, `day_out_of_range`, `bucket_duplicate`,
 *   `count_out_of_range` or `metrics_mismatch`, in this order of checks.
 */
export function judgeSelfReport({ records, isSingle }: ReadSelfReport, nowMs: number): Bucket[] {
  try {
    return judgeRecords(records, { nowMs, anyTime: true });
  } catch (error) {
    if (!isSingle || !(error instanceof DomainError)) throw error;
    const faults = error.faults.map((fault) => {
      return { ...fault, pointer: fault.pointer.replace('#/records/0/', '#/') };
    });
    throw new DomainError(error.code, error.message, faults);
  }
}

/** The envelope of a self-report in the log. It has no signatures. */
export function composeSelfReport(report: Omit<SelfReportPayload, 'type'>): LoggedEnvelope {
  const { operator, submission_id, records } = report;
  const payload: SelfReportPayload = { type: SELF_REPORT_TYPE, operator, submission_id, records };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return { payloadType: SELF_REPORT_PAYLOAD_TYPE, payload: toBase64(bytes), signatures: [] };
}
