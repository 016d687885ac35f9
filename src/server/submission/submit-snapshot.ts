import type { SnapshotReceipt, SubmissionPreview } from '#core/contract/snapshots.ts';
import {
  type OpenedEnvelope,
  type SealedEnvelope,
  envelopeOf,
  openEnvelope,
  parseEnvelope,
} from '#core/domain/signing/dsse.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import type { Caller } from '#core/schema/session.ts';
import { SNAPSHOT_PAYLOAD_TYPE, type SnapshotPayload } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex, verifyEd25519Aside } from '../process/crypto.ts';
import { type ActiveKey, activeKey, keyUnknown } from '../identity/device-keys.ts';
import { type SubmissionResult, answerAgain, storeSubmission } from './store-submission.ts';
import { withinSubmissionQuota } from './submission-quota.ts';
import { trySubmission } from './try-submission.ts';

/**
 * Accepts a signed snapshot: checks in the order of the specification, then stores all of it in one
 * transaction, or nothing.
 *
 * @param owner Whose devices are taken; left out where the signature is all that is asked for.
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export function submitSnapshot(
  ctx: AppContext,
  body: string,
  owner?: Pick<Caller, 'operator_id'>,
): Promise<SubmissionResult> {
  return withinQuota(ctx, { body, owner, isTried: false }, (envelope, key) => {
    return accept(ctx, envelope, key, (store) => ctx.store.commit(store));
  });
}

/** Tells what submitting it would come to, after the same checks; stores nothing. */
export function trySnapshot(
  ctx: AppContext,
  body: string,
  owner?: Pick<Caller, 'operator_id'>,
): Promise<SubmissionPreview> {
  return withinQuota(ctx, { body, owner, isTried: true }, (envelope, key) => {
    return accept(ctx, envelope, key, (store) => trySubmission(ctx, store));
  });
}

/** Checks who signed, and counts it while `work` goes on. */
async function withinQuota<Result>(
  ctx: AppContext,
  { body, owner, isTried }: Sent,
  work: (envelope: OpenedEnvelope, key: ActiveKey) => Promise<Result>,
): Promise<Result> {
  const sealed = parseEnvelope(body, SNAPSHOT_PAYLOAD_TYPE);
  const key = keyOf(ctx, sealed, owner);
  const envelope = openEnvelope(sealed);
  if (!(await verifyEd25519Aside(envelope.signed, envelope.signature, key.public_key))) {
    throw new DomainError('signature_invalid', 'The key did not sign these bytes');
  }
  // It is known to be the device's now: nobody else can use its limits up.
  const { operator_id } = key;
  ctx.limiter.take('writes', String(operator_id));
  const sender = { operator_id, device: String(key.device_id), bytes: Buffer.byteLength(body) };
  return withinSubmissionQuota(ctx, sender, () => work(envelope, key), isTried);
}

/** What came in, whose devices are taken, and whether it is only tried. */
interface Sent {
  body: string;
  owner: Pick<Caller, 'operator_id'> | undefined;
  isTried: boolean;
}

/** Judges what a key signed, and has it stored. What was stored before is not judged again. */
async function accept<Result>(
  ctx: AppContext,
  envelope: OpenedEnvelope,
  key: ActiveKey,
  settle: (store: () => SubmissionResult) => Promise<Result>,
): Promise<Result> {
  const snapshot = readSnapshot(envelope.payload, ctx.config.baseUrl);
  const payloadHash = sha256Hex(envelope.payload);
  const signed = { envelope, key, snapshot, payloadHash };
  const earlier = earlierAnswer(ctx, signed);
  if (earlier) return settle(() => ({ created: false, answer: earlier }));
  const now = ctx.now();
  const submission = { ...signed, buckets: judgeSnapshot(snapshot, now.getTime()) };
  return settle(() => storeSigned(ctx, submission, now));
}

/** The key that an envelope names; that of another operator is as good as none. */
function keyOf(
  { store }: AppContext,
  { keyid }: SealedEnvelope,
  owner: Pick<Caller, 'operator_id'> | undefined,
): ActiveKey {
  const isForeign = owner && store.devices.key(keyid)?.operator_id !== owner.operator_id;
  if (isForeign) throw keyUnknown(keyid);
  return activeKey(store, keyid);
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
function storeSigned(ctx: AppContext, submission: JudgedSubmission, now: Date): SubmissionResult {
  const { envelope, key, snapshot, payloadHash, buckets } = submission;
  const { payload, keyid, signature } = envelope;
  activeKey(ctx.store, keyid);
  const earlier = earlierAnswer(ctx, submission);
  if (earlier) return { created: false, answer: earlier };
  const stored = {
    operator_id: key.operator_id,
    device_id: key.device_id,
    trust: 'signed' as const,
    keyid,
    submission_id: snapshot.submission_id,
    idempotency_key_hash: null,
    payloadHash,
    collector: snapshot.collector,
    correction: snapshot.correction,
    buckets,
    envelope: envelopeOf(SNAPSHOT_PAYLOAD_TYPE, payload, keyid, signature),
  };
  return { created: true, answer: storeSubmission(ctx, stored, now) };
}

/** What the sender of the same bytes was told before. */
function earlierAnswer(
  ctx: AppContext,
  { envelope, snapshot, payloadHash }: SignedSubmission,
): SnapshotReceipt | null {
  const id = snapshot.submission_id;
  const earlier = ctx.store.submissions.ofKey(envelope.keyid, id);
  return answerAgain(earlier, payloadHash, () => {
    return new DomainError('submission_id_reused', `The submission ${id} holds other content`);
  });
}
