import { randomBytes, randomUUID } from 'node:crypto';
import type { SubmissionPreview } from '#core/contract/snapshots.ts';
import {
  composeSelfReport,
  judgeSelfReport,
  readSelfReport,
} from '#core/domain/signing/self-report.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from '../operator/operator.ts';
import { enterVisibility } from '../operator/visibility.ts';
import { sha256Hex } from '../process/crypto.ts';
import {
  type ArrivedSubmission,
  type SubmissionResult,
  acceptSubmission,
  trySubmission,
} from './store-submission.ts';
import type { IngestResult, IngestText } from '#core/contract/ingest.ts';
import { INGEST_LIMIT_BYTES } from '#core/contract/limits.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import { readPasted } from '#core/readers/pasted/pasted.ts';

type Stored = Pick<AppContext, 'store'>;

interface SentRecords {
  /** The body: one record or a list of records. */
  text: string;
  /** The sender's ID for the request, so that repeating it changes nothing. */
  idempotencyKey: string | undefined;
}

/**
 * Accepts records from a signed-in operator. Checks them like the records of a signed snapshot, then stores all of
 * them in one transaction, or nothing. They are not signed, so they are `self_reported`.
 *
 * @throws {DomainError} if the submission is rejected; see the route's `errors`.
 */
export async function submitRecords(
  ctx: AppContext,
  { operator_id }: Pick<Caller, 'operator_id'>,
  sent: SentRecords,
): Promise<SubmissionResult> {
  return acceptSubmission(ctx, senderOf(operator_id, sent), () => arrived(ctx, operator_id, sent));
}

/** Returns what submitting the records would do, after the same checks. Stores nothing. */
export async function tryRecords(
  ctx: AppContext,
  { operator_id }: Pick<Caller, 'operator_id'>,
  sent: SentRecords,
): Promise<SubmissionPreview> {
  return trySubmission(ctx, senderOf(operator_id, sent), () => arrived(ctx, operator_id, sent));
}

/** Self-reports have daily limits like a device. */
function senderOf(operator_id: number, { text }: SentRecords) {
  return { operator_id, device: `by hand ${operator_id}`, bytes: Buffer.byteLength(text) };
}

function arrived(
  ctx: AppContext,
  operator_id: number,
  { text, idempotencyKey }: SentRecords,
): ArrivedSubmission {
  const { store } = ctx;
  const read = readSelfReport(text);
  const hash = idempotencyKey === undefined ? null : sha256Hex(idempotencyKey);
  return {
    payloadHash: sha256Hex(text),
    earlier: () =>
      hash === null ? undefined : store.submissions.ofIdempotencyKey(operator_id, hash),
    reused: () => {
      const detail = 'This Idempotency-Key was already used with another body';
      return new DomainError('idempotency_key_reused', detail);
    },
    judge: (nowMs) => judgeSelfReport(read, nowMs),
    complete: (now) => {
      const operator = operatorOf(ctx, operator_id);
      // The log names an account before its first entry.
      if (operator.log_index === 0) enterVisibility(ctx, operator_id);
      const submission_id = uuidV7(now.getTime(), randomBytes(10));
      const { records } = read;
      return {
        operator_id,
        device_id: selfReportingDevice(ctx, operator_id, now),
        trust: 'self_reported',
        keyid: null,
        submission_id,
        idempotency_key_hash: hash,
        collector: null,
        correction: null,
        covers: null,
        envelope: composeSelfReport({ operator: operator.public_id, submission_id, records }),
      };
    },
  };
}

/** The device that represents the operator's self-reports, created on first use. */
export function selfReportingDevice({ store }: Stored, operator_id: number, now: Date): number {
  const known = store.devices.selfReporting(operator_id);
  if (known !== undefined) return known;
  const created_at = now.toISOString();
  return store.devices.addSelfReporting({ public_id: randomUUID(), operator_id, created_at });
}

/** Parses pasted usage into records. Stores nothing. */
export function parseUsage(ctx: Pick<AppContext, 'now'>, { text }: IngestText): IngestResult {
  if (Buffer.byteLength(text) > INGEST_LIMIT_BYTES) {
    throw new DomainError(
      'payload_too_large',
      `The text is larger than ${INGEST_LIMIT_BYTES} bytes`,
    );
  }
  const { formats, buckets, warnings } = readPasted(text, utcDay(ctx.now().getTime()));
  return { formats, records: buckets.map(composeRecord), warnings };
}
