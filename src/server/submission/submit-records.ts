import { randomBytes, randomUUID } from 'node:crypto';
import type { SnapshotReceipt, SubmissionPreview } from '#core/contract/snapshots.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import {
  type ReadSelfReport,
  composeSelfReport,
  judgeSelfReport,
  readSelfReport,
} from '#core/domain/signing/self-report.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { Caller } from '#core/schema/session.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../process/crypto.ts';
import { operatorOf } from '../operator/operator.ts';
import { type SubmissionResult, answerAgain, storeSubmission } from './store-submission.ts';
import { withinSubmissionQuota } from './submission-quota.ts';
import { trySubmission } from './try-submission.ts';
import { enterVisibility } from '../operator/visibility.ts';

/** What an operator sends by hand. */
export interface SentRecords {
  /** The body's text: one record, or a list. */
  text: string;
  /** What the sender calls the request, so that sending it again changes nothing. */
  idempotencyKey: string | undefined;
}

/**
 * Accepts records that a signed-in operator sends: checks them as those of a signed snapshot, then
 * stores all of them in one transaction, or nothing. Nobody signed them, so they are `self_reported`.
 *
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export async function submitRecords(
  ctx: AppContext,
  { operator_id }: Pick<Caller, 'operator_id'>,
  sent: SentRecords,
): Promise<SubmissionResult> {
  return withinSubmissionQuota(ctx, senderOf(operator_id, sent), () => {
    return accept(ctx, operator_id, sent, (store) => ctx.store.commit(store));
  });
}

/** Tells what submitting them would come to, after the same checks; stores nothing. */
export async function tryRecords(
  ctx: AppContext,
  { operator_id }: Pick<Caller, 'operator_id'>,
  sent: SentRecords,
): Promise<SubmissionPreview> {
  const work = () => accept(ctx, operator_id, sent, (store) => trySubmission(ctx, store));
  return withinSubmissionQuota(ctx, senderOf(operator_id, sent), work, true);
}

/** What is sent by hand has a device's day of its own. */
function senderOf(operator_id: number, { text }: SentRecords) {
  return { operator_id, device: `by hand ${operator_id}`, bytes: Buffer.byteLength(text) };
}

/** Judges records, and has them stored. What was stored before is not judged again. */
async function accept<Result>(
  ctx: AppContext,
  operator_id: number,
  { text, idempotencyKey }: SentRecords,
  settle: (store: () => SubmissionResult) => Promise<Result>,
): Promise<Result> {
  const read = readSelfReport(text);
  const sent = {
    operator_id,
    read,
    payloadHash: sha256Hex(text),
    idempotency_key_hash: idempotencyKey === undefined ? null : sha256Hex(idempotencyKey),
  };
  const earlier = earlierAnswer(ctx, sent);
  if (earlier) return settle(() => ({ created: false, answer: earlier }));
  const now = ctx.now();
  const judged = { ...sent, buckets: judgeSelfReport(read, now.getTime()) };
  return settle(() => storeSelfReport(ctx, judged, now));
}

/** Records whose schema holds. */
interface SelfReported {
  operator_id: number;
  read: ReadSelfReport;
  /** SHA-256 of the body, hex. */
  payloadHash: string;
  idempotency_key_hash: string | null;
}

/** Stores all of a submission. While it waited, its twin may have been stored, or the account deleted. */
function storeSelfReport(
  ctx: AppContext,
  { read, buckets, ...sent }: SelfReported & { buckets: readonly Bucket[] },
  now: Date,
): SubmissionResult {
  const { operator_id } = sent;
  const earlier = earlierAnswer(ctx, sent);
  if (earlier) return { created: false, answer: earlier };
  const operator = operatorOf(ctx, operator_id);
  // The log names an account before its first entry.
  if (operator.log_index === 0) enterVisibility(ctx, operator_id);
  const submission_id = uuidV7(now.getTime(), randomBytes(10));
  const { records } = read;
  const stored = {
    ...sent,
    device_id: selfReportingDevice(ctx, operator_id, now),
    trust: 'self_reported' as const,
    keyid: null,
    submission_id,
    collector: null,
    correction: null,
    buckets,
    envelope: composeSelfReport({ operator: operator.public_id, submission_id, records }),
  };
  return { created: true, answer: storeSubmission(ctx, stored, now) };
}

/** The device that stands for what the operator sends by hand; made at its first use. */
function selfReportingDevice({ store }: AppContext, operator_id: number, now: Date): number {
  const known = store.devices.selfReporting(operator_id);
  if (known !== undefined) return known;
  const created_at = now.toISOString();
  return store.devices.addSelfReporting({ public_id: randomUUID(), operator_id, created_at });
}

/** What the sender of the same bytes under the same name was told before. */
function earlierAnswer(
  { store }: AppContext,
  {
    operator_id,
    payloadHash,
    idempotency_key_hash: hash,
  }: Pick<SelfReported, 'idempotency_key_hash' | 'operator_id' | 'payloadHash'>,
): SnapshotReceipt | null {
  const earlier = hash === null ? undefined : store.submissions.ofIdempotencyKey(operator_id, hash);
  return answerAgain(earlier, payloadHash, () => {
    const detail = 'Another body was sent with this Idempotency-Key before';
    return new DomainError('idempotency_key_reused', detail);
  });
}
