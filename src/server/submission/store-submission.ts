import { randomBytes } from 'node:crypto';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { dayAndTool, settleGroup } from '#core/domain/counting/counting.ts';
import type { DomainError } from '#core/domain/text/errors.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import { factsOf } from '#core/domain/log/logged-snapshot.ts';
import { uuidV7 } from '#core/domain/text/uuid.ts';
import type { LoggedEnvelope } from '#core/schema/self-report.ts';
import { type Correction, RECEIPT_PAYLOAD_TYPE, type Receipt } from '#core/schema/snapshot.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import { checkStoredBytes } from '../operator/account-limits.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';

type AppendedEntry = ReturnType<AppContext['store']['log']['append']>;

/** Whether a submission was stored now, or had been before. */
export interface SubmissionResult {
  created: boolean;
  answer: SnapshotReceipt;
}

/** What was found acceptable, whoever sent it. */
export interface AcceptableSubmission {
  operator_id: number;
  device_id: number;
  trust: Trust;
  /** Null where nobody signed. */
  keyid: string | null;
  submission_id: string;
  idempotency_key_hash: string | null;
  /** SHA-256 of the bytes that make sending again the same, hex. */
  payloadHash: string;
  /** Null where it was sent by hand. */
  collector: { name: string; version: string } | null;
  correction: Correction | null;
  buckets: readonly Bucket[];
  /** What the log keeps. */
  envelope: LoggedEnvelope;
}

/**
 * Stores all of a submission: log entry, buckets, and what its sender is told. Call it inside a
 * transaction.
 *
 * @throws {DomainError} `account_limit_reached`, `count_out_of_range` or `too_many_sources`.
 */
export function storeSubmission(
  ctx: AppContext,
  submission: AcceptableSubmission,
  now: Date,
): SnapshotReceipt {
  const { operator_id, envelope } = submission;
  const entry = ctx.store.log.append({ kind: 'snapshot', operator_id, payload: envelope, now });
  checkStoredBytes(ctx, operator_id);
  settleBuckets(ctx, submission, entry.log_index);
  const answer = answerOf(ctx, submission, entry);
  recordSubmission(ctx, submission, answer);
  return answer;
}

/**
 * What the sender of the same bytes was told before; null if nobody was.
 *
 * @param differs What is wrong if those were other bytes.
 */
export function answerAgain(
  earlier: { payload_hash: string; answer: string } | undefined,
  payloadHash: string,
  differs: () => DomainError,
): SnapshotReceipt | null {
  if (!earlier) return null;
  if (earlier.payload_hash !== payloadHash) throw differs();
  return JSON.parse(earlier.answer) as SnapshotReceipt;
}

function settleBuckets(
  ctx: AppContext,
  { operator_id, device_id, trust, correction, buckets }: AcceptableSubmission,
  log_index: number,
): void {
  const { store } = ctx;
  const groups = new Map<string, { day: string; tool: string; buckets: Bucket[] }>();
  const corrected = correction
    ? store.buckets.daysOfTool({ operator_id, device_id, ...correction })
    : [];
  for (const day of corrected) {
    const tool = correction?.tool ?? '';
    groups.set(dayAndTool({ day, tool }), { day, tool, buckets: [] });
  }
  for (const bucket of buckets) {
    const { day, tool } = bucket;
    const group = groups.get(dayAndTool(bucket));
    if (group) group.buckets.push(bucket);
    else groups.set(dayAndTool(bucket), { day, tool, buckets: [bucket] });
  }
  changeWithinLimits(ctx, operator_id, () => {
    for (const group of groups.values()) {
      const before = store.buckets.group({ operator_id, day: group.day, tool: group.tool });
      const stated = { device_id, log_index, trust, correction, buckets: group.buckets };
      store.buckets.replaceGroups(operator_id, before, settleGroup(before, stated));
    }
  });
  store.operators.touch(operator_id, log_index);
}

function answerOf(
  ctx: AppContext,
  { submission_id, buckets }: AcceptableSubmission,
  { log_index, entry_hash, received_at, previous, salt }: AppendedEntry,
): SnapshotReceipt {
  const receipt: Receipt = { log_index, entry_hash, received_at, ruleset: ctx.ruleset.id };
  const payload = new TextEncoder().encode(JSON.stringify(receipt));
  return {
    id: uuidV7(Date.parse(received_at), randomBytes(10)),
    submission_id,
    ...receipt,
    records: buckets.length,
    receipt: ctx.boardKey.seal(RECEIPT_PAYLOAD_TYPE, payload),
    proof: { previous, salt: hex(salt) },
  };
}

function recordSubmission(
  ctx: AppContext,
  submission: AcceptableSubmission,
  answer: SnapshotReceipt,
): void {
  const { operator_id, device_id, keyid, submission_id, idempotency_key_hash } = submission;
  const { days, first_day, last_day, tools } = factsOf(submission.buckets);
  ctx.store.submissions.add({
    log_index: answer.log_index,
    id: answer.id,
    operator_id,
    device_id,
    keyid,
    submission_id,
    idempotency_key_hash,
    payload_hash: submission.payloadHash,
    collector_name: submission.collector?.name ?? null,
    collector_version: submission.collector?.version ?? null,
    records: answer.records,
    days,
    first_day,
    last_day,
    tools: JSON.stringify(tools),
    answer: JSON.stringify(answer),
  });
}
