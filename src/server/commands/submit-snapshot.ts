import { randomBytes } from 'node:crypto';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { dayAndTool, settleGroup } from '#core/domain/counting.ts';
import { type OpenedEnvelope, envelopeOf, readEnvelope } from '#core/domain/dsse.ts';
import { DomainError } from '#core/domain/errors.ts';
import { hex } from '#core/domain/log-entry.ts';
import { factsOf } from '#core/domain/logged-snapshot.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/snapshot.ts';
import { uuidV7 } from '#core/domain/uuid.ts';
import {
  RECEIPT_PAYLOAD_TYPE,
  type Receipt,
  SNAPSHOT_PAYLOAD_TYPE,
  type SnapshotPayload,
} from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex, verifyEd25519 } from '../identity/crypto.ts';
import { type ActiveKey, activeKey } from '../identity/device-keys.ts';
import { checkOperatorLimits } from '../operator-limits.ts';

type AppendedEntry = ReturnType<AppContext['store']['log']['append']>;

/** Whether a snapshot was stored now, or had been before. */
export interface SubmissionResult {
  created: boolean;
  answer: SnapshotReceipt;
}

/**
 * Accepts a signed snapshot: checks in the order of the specification, then stores all of it in one
 * transaction, or nothing.
 *
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export async function submitSnapshot(ctx: AppContext, body: string): Promise<SubmissionResult> {
  const envelope = readEnvelope(body, SNAPSHOT_PAYLOAD_TYPE);
  const key = activeKey(ctx.store, envelope.keyid);
  if (!verifyEd25519(envelope.signed, envelope.signature, key.public_key)) {
    throw new DomainError('signature_invalid', 'The key did not sign these bytes');
  }
  countSnapshot(ctx, key, Buffer.byteLength(body));
  const snapshot = readSnapshot(envelope.payload, ctx.config.baseUrl);
  const payloadHash = sha256Hex(envelope.payload);
  const signed = { envelope, key, snapshot, payloadHash };
  const earlier = earlierAnswer(ctx, signed);
  if (earlier) return { created: false, answer: earlier };
  const now = ctx.now();
  const submission = { ...signed, buckets: judgeSnapshot(snapshot, now.getTime()) };
  return ctx.store.commit(() => storeSubmission(ctx, submission, now));
}

/** Counts what a device sent, now that it is known to be the device's: nobody else can use it up. */
function countSnapshot({ limiter }: AppContext, key: ActiveKey, bytes: number): void {
  const operator = String(key.operator_id);
  const device = String(key.device_id);
  limiter.take('snapshots', operator);
  limiter.take('writes', operator);
  limiter.take('device', device);
  limiter.take('device_bytes', device, { cost: bytes });
}

/** A snapshot whose signature holds. */
interface SignedSubmission {
  envelope: OpenedEnvelope;
  key: ActiveKey;
  snapshot: SnapshotPayload;
  /** SHA-256 of the payload bytes, hex. */
  payloadHash: string;
}

/** A snapshot that was found acceptable. */
interface JudgedSubmission extends SignedSubmission {
  buckets: readonly Bucket[];
}

/** Stores all of a submission. While it waited, its key may have been revoked, or its twin stored. */
function storeSubmission(
  ctx: AppContext,
  submission: JudgedSubmission,
  now: Date,
): SubmissionResult {
  const { envelope, key, snapshot } = submission;
  const { payload, keyid, signature } = envelope;
  activeKey(ctx.store, keyid);
  const earlier = earlierAnswer(ctx, submission);
  if (earlier) return { created: false, answer: earlier };
  const entry = ctx.store.log.append({
    kind: 'snapshot',
    operator_id: key.operator_id,
    payload: envelopeOf(SNAPSHOT_PAYLOAD_TYPE, payload, keyid, signature),
    now,
  });
  settleBuckets(ctx, submission, entry.log_index);
  const answer = answerOf(ctx, snapshot, entry);
  recordSubmission(ctx, submission, entry, answer);
  return { created: true, answer };
}

/** What the sender of the same bytes was told before. */
function earlierAnswer(
  ctx: AppContext,
  { envelope, snapshot, payloadHash }: SignedSubmission,
): SnapshotReceipt | null {
  const id = snapshot.submission_id;
  const earlier = ctx.store.submissions.ofKey(envelope.keyid, id);
  if (!earlier) return null;
  if (earlier.payload_hash !== payloadHash) {
    throw new DomainError('submission_id_reused', `The submission ${id} holds other content`);
  }
  return JSON.parse(earlier.answer) as SnapshotReceipt;
}

function settleBuckets(
  ctx: AppContext,
  { key, snapshot, buckets }: JudgedSubmission,
  log_index: number,
): void {
  const { store } = ctx;
  const { operator_id, device_id } = key;
  const { correction } = snapshot;
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
  for (const group of groups.values()) {
    const before = store.buckets.group({ operator_id, day: group.day, tool: group.tool });
    const after = settleGroup(before, {
      device_id,
      log_index,
      trust: 'signed',
      correction,
      buckets: group.buckets,
    });
    store.buckets.replaceGroups(operator_id, before, after);
  }
  store.operators.touch(operator_id, log_index);
  checkOperatorLimits(ctx, operator_id);
}

function answerOf(
  ctx: AppContext,
  snapshot: SnapshotPayload,
  entry: AppendedEntry,
): SnapshotReceipt {
  const { log_index, entry_hash, received_at, previous, salt } = entry;
  const receipt: Receipt = { log_index, entry_hash, received_at, ruleset: ctx.ruleset.id };
  const payload = new TextEncoder().encode(JSON.stringify(receipt));
  return {
    id: uuidV7(Date.parse(received_at), randomBytes(10)),
    submission_id: snapshot.submission_id,
    ...receipt,
    records: snapshot.records.length,
    receipt: ctx.boardKey.seal(RECEIPT_PAYLOAD_TYPE, payload),
    proof: { previous, salt: hex(salt) },
  };
}

function recordSubmission(
  ctx: AppContext,
  { envelope, key, snapshot, payloadHash, buckets }: JudgedSubmission,
  { log_index }: AppendedEntry,
  answer: SnapshotReceipt,
): void {
  const { days, first_day, last_day, tools } = factsOf(buckets);
  ctx.store.submissions.add({
    log_index,
    id: answer.id,
    operator_id: key.operator_id,
    device_id: key.device_id,
    keyid: envelope.keyid,
    submission_id: snapshot.submission_id,
    payload_hash: payloadHash,
    collector_name: snapshot.collector.name,
    collector_version: snapshot.collector.version,
    records: snapshot.records.length,
    days,
    first_day,
    last_day,
    tools: JSON.stringify(tools),
    answer: JSON.stringify(answer),
  });
}
