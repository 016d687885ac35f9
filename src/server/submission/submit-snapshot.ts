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
import { SNAPSHOT_PAYLOAD_TYPES } from '#core/schema/snapshot.ts';
import type { AppContext } from '../context.ts';
import { type ActiveKey, activeKey, keyUnknown } from '../identity/device-tokens.ts';
import { sha256Hex, verifyEd25519Aside } from '../process/crypto.ts';
import { type ArrivedSubmission, acceptSubmission, trySubmission } from './store-submission.ts';

/** The operator whose devices are accepted; undefined if a valid signature is enough. */
type Owner = Pick<Caller, 'operator_id'> | undefined;

/**
 * Accepts a signed snapshot. Checks it in the order of the specification, then stores all of it in one transaction, or
 * nothing.
 *
 * @throws {DomainError} if the snapshot is rejected; see the route's `errors`.
 */
export async function submitSnapshot(ctx: AppContext, body: string, owner?: Owner) {
  const { sender, arrive } = await verified(ctx, body, owner);
  return acceptSubmission(ctx, sender, arrive);
}

/** Returns what submitting the snapshot would do, after the same checks. Stores nothing. */
export async function trySnapshot(ctx: AppContext, body: string, owner?: Owner) {
  const { sender, arrive } = await verified(ctx, body, owner);
  return trySubmission(ctx, sender, arrive);
}

/** Verifies the signature. */
async function verified(ctx: AppContext, body: string, owner: Owner) {
  const sealed = parseEnvelope(body, SNAPSHOT_PAYLOAD_TYPES);
  const key = keyOf(ctx, sealed, owner);
  const envelope = openEnvelope(sealed);
  if (!(await verifyEd25519Aside(envelope.signed, envelope.signature, key.public_key))) {
    throw new DomainError('signature_invalid', 'The key did not sign these bytes');
  }
  // Count limits only after verification, so that nobody else can use up the device's limits.
  const { operator_id, device_id } = key;
  ctx.limiter.take('writes', String(operator_id));
  const sender = { operator_id, device: String(device_id), bytes: Buffer.byteLength(body) };
  return { sender, arrive: () => arrived(ctx, envelope, key) };
}

/** The key that an envelope names. Another operator's key is treated as unknown. */
function keyOf({ store }: AppContext, { keyid }: SealedEnvelope, owner: Owner): ActiveKey {
  const isForeign = owner && store.devices.key(keyid)?.operator_id !== owner.operator_id;
  if (isForeign) throw keyUnknown(keyid);
  return activeKey(store, keyid);
}

function arrived(
  { store, config }: AppContext,
  { payloadType, payload, keyid, signature }: OpenedEnvelope,
  { operator_id, device_id }: ActiveKey,
): ArrivedSubmission {
  const snapshot = readSnapshot(payload, config.baseUrl, payloadType);
  const { submission_id, collector, correction, covers = null } = snapshot;
  return {
    payloadHash: sha256Hex(payload),
    // The key may have been revoked while the submission waited.
    confirm: () => void activeKey(store, keyid),
    earlier: () => store.submissions.ofKey(keyid, submission_id),
    reused: () => {
      const detail = `The submission ID ${submission_id} was already used with other content`;
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
      covers,
      envelope: envelopeOf(payloadType, payload, keyid, signature),
    }),
  };
}
