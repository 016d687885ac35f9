import {
  type OpenedEnvelope,
  type SealedEnvelope,
  envelopeOf,
  openEnvelope,
  parseEnvelope,
} from '#core/domain/signing/dsse.ts';
import { judgeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Caller } from '#core/schema/account.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import type { AppContext } from '../context.ts';
import { type ActiveKey, activeKey, keyUnknown } from '../identity/device-tokens.ts';
import { sha256Hex, verifyEd25519Aside } from '../process/crypto.ts';
import { type ArrivedSubmission, acceptSubmission, trySubmission } from './store-submission.ts';

/** Whose devices are taken; undefined where the signature is all that is asked for. */
type Owner = Pick<Caller, 'operator_id'> | undefined;

/**
 * Accepts a signed snapshot: checks in the order of the specification, then stores all of it in one
 * transaction, or nothing.
 *
 * @throws {DomainError} for every refusal; see the route's `errors`.
 */
export async function submitSnapshot(ctx: AppContext, body: string, owner?: Owner) {
  const { sender, arrive } = await verified(ctx, body, owner);
  return acceptSubmission(ctx, sender, arrive);
}

/** Tells what submitting it would come to, after the same checks; stores nothing. */
export async function trySnapshot(ctx: AppContext, body: string, owner?: Owner) {
  const { sender, arrive } = await verified(ctx, body, owner);
  return trySubmission(ctx, sender, arrive);
}

/** Checks who signed. */
async function verified(ctx: AppContext, body: string, owner: Owner) {
  const sealed = parseEnvelope(body, SNAPSHOT_PAYLOAD_TYPE);
  const key = keyOf(ctx, sealed, owner);
  const envelope = openEnvelope(sealed);
  if (!(await verifyEd25519Aside(envelope.signed, envelope.signature, key.public_key))) {
    throw new DomainError('signature_invalid', 'The key did not sign these bytes');
  }
  // It is known to be the device's now: nobody else can use its limits up.
  const { operator_id, device_id } = key;
  ctx.limiter.take('writes', String(operator_id));
  const sender = { operator_id, device: String(device_id), bytes: Buffer.byteLength(body) };
  return { sender, arrive: () => arrived(ctx, envelope, key) };
}

/** The key that an envelope names; that of another operator is as good as none. */
function keyOf({ store }: AppContext, { keyid }: SealedEnvelope, owner: Owner): ActiveKey {
  const isForeign = owner && store.devices.key(keyid)?.operator_id !== owner.operator_id;
  if (isForeign) throw keyUnknown(keyid);
  return activeKey(store, keyid);
}

function arrived(
  { store, config }: AppContext,
  { payload, keyid, signature }: OpenedEnvelope,
  { operator_id, device_id }: ActiveKey,
): ArrivedSubmission {
  const snapshot = readSnapshot(payload, config.baseUrl);
  const { submission_id, collector, correction } = snapshot;
  return {
    payloadHash: sha256Hex(payload),
    earlier: () => {
      // While the submission waited, its key may have been revoked.
      activeKey(store, keyid);
      return store.submissions.ofKey(keyid, submission_id);
    },
    reused: () => {
      const detail = `The submission ${submission_id} holds other content`;
      return new DomainError('submission_id_reused', detail);
    },
    judge: (nowMs) => judgeSnapshot(snapshot, nowMs),
    complete: () => ({
      operator_id,
      device_id,
      trust: 'signed',
      keyid,
      submission_id,
      idempotency_key_hash: null,
      collector,
      correction,
      envelope: envelopeOf(SNAPSHOT_PAYLOAD_TYPE, payload, keyid, signature),
    }),
  };
}
