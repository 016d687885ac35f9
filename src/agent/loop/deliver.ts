/** Sends one envelope until the board answers, checks the receipt, and saves it. */
import { keyIdOf, readEnvelope, seal } from '#core/domain/signing/dsse.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { bucketOfRecord } from '#core/domain/metrics/record.ts';
import { composeSnapshot, readSnapshot } from '#core/domain/signing/snapshot.ts';
import { type Envelope, SNAPSHOT_PAYLOAD_TYPES } from '#core/schema/snapshot.ts';
import { fromBase64Url } from '#core/domain/text/base64.ts';
import { verifyStrict } from '#core/domain/signing/ed25519.ts';
import { isReceiptSound } from '#core/domain/log/receipt.ts';
import type { ReceiptAnswer } from '../board/answers.ts';
import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure, Refusal } from '../failure.ts';
import { type Identity, signingKey } from '../state/keystore.ts';
import type { Outbox, StatedBuckets } from '../state/outbox.ts';
import { sha256 } from '../state/sha256.ts';
import { counted } from '../text/figures.ts';
import type { FingerprintSource } from './fingerprints.ts';
import { withRetries } from './retry.ts';

export interface Delivery {
  device: LocalDevice;
  identity: Identity;
  outbox: Outbox;
  fingerprints?: FingerprintSource | null;
  /** Whether the board accepts statements of days. */
  statesDays?: boolean;
  progress: Progress;
  /** Called with notes about what was left out, dropped or corrected. */
  note: (text: string) => void;
  withWithdrawn?: boolean;
}

export interface Parcel {
  id: string;
  envelope: string;
}

export interface SignedStatement extends StatedBuckets {
  payload: Uint8Array;
}

/** @throws {DomainError} if the envelope is not a snapshot for the board. */
function statementOf(envelope: string, board: string): SignedStatement {
  const { payload, payloadType } = readEnvelope(envelope, SNAPSHOT_PAYLOAD_TYPES);
  const { correction, covers = null, records } = readSnapshot(payload, board, payloadType);
  return { payload, correction, covers, buckets: records.map(bucketOfRecord) };
}

/** The statement in an envelope; null if it is damaged, or not a snapshot for the board. */
export function readableStatement(envelope: string, board: string): SignedStatement | null {
  try {
    return statementOf(envelope, board);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * Sends an envelope, checks the receipt and saves it.
 *
 * @throws {Failure} if the board rejects the envelope, or the receipt cannot be saved.
 */
export async function deliver(
  delivery: Delivery,
  saved: Parcel,
): Promise<{ receipt: ReceiptAnswer; records: number }> {
  const { identity, outbox } = delivery;
  const { receipt, parcel } = await sendParcel(delivery, await ofThisKey(delivery, saved));
  await checkReceipt(identity, receipt, parcel.envelope);
  const statement = statementOf(parcel.envelope, identity.board);
  const records = statement.buckets.length;
  try {
    outbox.confirm(parcel.id, statement, receipt);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = `${identity.board} has accepted ${counted(records, 'daily count')}, but ${error.message}`;
    const hint = 'Free some disk space, then run the command again. Nothing counts twice.';
    throw new Failure(error.exitCode, message, hint);
  }
  return { receipt, records };
}

/** Signs an envelope again if an earlier key of this device signed it, which the board would reject. */
async function ofThisKey(delivery: Delivery, parcel: Parcel): Promise<Parcel> {
  const { keyid } = readEnvelope(parcel.envelope, SNAPSHOT_PAYLOAD_TYPES);
  return keyid === delivery.identity.keyid ? parcel : signAnew(delivery, parcel);
}

/** Sends a parcel. If it is too old, the board rejects it, and it is signed again. */
async function sendParcel(
  delivery: Delivery,
  parcel: Parcel,
): Promise<{ receipt: ReceiptAnswer; parcel: Parcel }> {
  try {
    return { receipt: await send(delivery, parcel), parcel };
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'snapshot_stale') throw error;
  }
  const fresh = await signAnew(delivery, parcel);
  return { receipt: await send(delivery, fresh), parcel: fresh };
}

async function send(
  { device, identity, outbox, progress }: Delivery,
  { id, envelope }: Parcel,
): Promise<ReceiptAnswer> {
  try {
    const ask = () => device.client.submit(identity.board, envelope);
    return await withRetries(device, ask, progress);
  } catch (error) {
    if (error instanceof Refusal && isFinal(error)) outbox.drop(id);
    throw error;
  }
}

/** Error codes after which the same counts may be accepted: with another key, another clock, or later. */
const NOT_FINAL = ['key_revoked', 'key_unknown', 'snapshot_stale', 'token_invalid'];

/** Whether the board would reject the envelope every time. Its counts are in the ledger. */
function isFinal({ code, isPassing }: Refusal): boolean {
  return !isPassing && !NOT_FINAL.includes(code);
}

async function signAnew({ device, identity, outbox }: Delivery, parcel: Parcel): Promise<Parcel> {
  const { payload, payloadType } = readEnvelope(parcel.envelope, SNAPSHOT_PAYLOAD_TYPES);
  const snapshot = readSnapshot(payload, identity.board, payloadType);
  const bytes = composeSnapshot({
    ...snapshot,
    issuedAtMs: device.nowMs(),
    buckets: snapshot.records.map(bucketOfRecord),
  });
  const envelope = JSON.stringify(await seal(payloadType, bytes, signingKey(identity)));
  outbox.add(parcel.id, envelope);
  return { id: parcel.id, envelope };
}

/**
 * Checks that the board's key has signed the receipt for an envelope. Without that, it does not count as sent.
 *
 * @throws {Failure} `refused` if the receipt is not valid.
 */
export async function checkReceipt(
  { board, board_public_key }: Identity,
  receipt: ReceiptAnswer,
  envelope: string,
): Promise<void> {
  const boardKey = fromBase64Url(board_public_key) ?? new Uint8Array();
  const pinned = keyIdOf(boardKey, sha256);
  const signers = receipt.receipt.signatures.map(({ keyid }) => keyid);
  if (!signers.includes(pinned)) {
    throw new Failure(
      EXIT.refused,
      `${board} signed the receipt with the key ${signers.join(', ')}, but had ${pinned} when this device enrolled`,
      'Ask the admin whether the key of the board has changed. If it has, enroll again with a new code.',
    );
  }
  const sealed = JSON.parse(envelope) as Envelope;
  if (await isReceiptSound(receipt, sealed, boardKey, { verify: verifyStrict, sha256 })) return;
  throw new Failure(
    EXIT.refused,
    `The receipt of ${board} does not prove that it accepted the snapshot`,
    'Contact the admin of the board. The snapshot is saved and will be sent again.',
  );
}
