import { fromBase64Url } from '#core/domain/base64.ts';
import { readEnvelope, seal } from '#core/domain/dsse.ts';
import { verifyStrict } from '#core/domain/ed25519.ts';
import { isReceiptSound } from '#core/domain/receipt.ts';
import { bucketOfRecord } from '#core/domain/record.ts';
import { composeSnapshot, readSnapshot } from '#core/domain/snapshot.ts';
import { uuidV7 } from '#core/domain/uuid.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { type Envelope, SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure, Refusal } from '../failure.ts';
import { type Identity, sha256, signingKey } from '../keystore.ts';
import { Outbox } from '../outbox.ts';
import { COLLECTOR } from '../version.ts';

/** Records in one snapshot: far below the board's limits, whatever the names are. */
const BATCH = 1000;

export interface Submission {
  board: string;
  /** Snapshots and records that the board has accepted in this run. */
  snapshots: number;
  records: number;
  receipts: SnapshotReceipt[];
}

/** The exact payloads that a submission of these buckets would sign. */
export function composePayloads(
  { nowMs }: Pick<Device, 'nowMs'>,
  board: string,
  buckets: readonly Bucket[],
): { id: string; payload: Uint8Array }[] {
  const payloads: { id: string; payload: Uint8Array }[] = [];
  for (let at = 0; at < buckets.length; at += BATCH) {
    const id = uuidV7(nowMs(), crypto.getRandomValues(new Uint8Array(10)));
    const payload = composeSnapshot({
      audience: board,
      submission_id: id,
      issuedAtMs: nowMs(),
      collector: COLLECTOR,
      correction: null,
      buckets: buckets.slice(at, at + BATCH),
    });
    payloads.push({ id, payload });
  }
  return payloads;
}

/** What is on its way to an identity's board, and what has arrived there. */
export function outboxOf({ keystore }: Device, { board, device_id }: Identity): Outbox {
  return new Outbox(keystore.folderOf(board), device_id);
}

/**
 * Sends what one board does not have yet. Every envelope is saved before it is sent and sent again
 * as it is until the board answers, so that a lost answer neither loses nor doubles anything.
 */
export async function submit(
  device: Device,
  identity: Identity,
  buckets: readonly Bucket[],
): Promise<Submission> {
  const { board } = identity;
  const outbox = outboxOf(device, identity);
  const submission: Submission = { board, snapshots: 0, records: 0, receipts: [] };
  for (const { id, envelope } of outbox.pending()) {
    await deliver(device, identity, outbox, { id, envelope }, submission);
  }
  for (const { id, payload } of composePayloads(device, board, outbox.unsent(buckets))) {
    const sealed = await seal(SNAPSHOT_PAYLOAD_TYPE, payload, signingKey(identity));
    const envelope = JSON.stringify(sealed);
    outbox.add(id, envelope);
    await deliver(device, identity, outbox, { id, envelope }, submission);
  }
  return submission;
}

interface Parcel {
  id: string;
  envelope: string;
}

async function deliver(
  device: Device,
  identity: Identity,
  outbox: Outbox,
  { id, envelope }: Parcel,
  submission: Submission,
): Promise<void> {
  const sent = await sendParcel(device, identity, outbox, { id, envelope });
  const { receipt, parcel } = sent;
  const sealed = JSON.parse(parcel.envelope) as Envelope;
  const boardKey = fromBase64Url(identity.board_public_key) ?? new Uint8Array();
  const tools = { verify: verifyStrict, sha256 };
  if (!(await isReceiptSound(receipt, sealed, boardKey, tools))) {
    const message = `The receipt of ${identity.board} is not signed by the key it enrolled with`;
    throw new Failure(
      EXIT.refused,
      message,
      'Ask the keeper whether the key of the board changed.',
    );
  }
  const { payload } = readEnvelope(parcel.envelope, SNAPSHOT_PAYLOAD_TYPE);
  const { records } = readSnapshot(payload, identity.board);
  outbox.confirm(id, records.map(bucketOfRecord), receipt);
  submission.snapshots += 1;
  submission.records += records.length;
  submission.receipts.push(receipt);
}

/** Sends a parcel; one that lay too long is signed anew, because the board never took it. */
async function sendParcel(
  device: Device,
  identity: Identity,
  outbox: Outbox,
  parcel: Parcel,
): Promise<{ receipt: SnapshotReceipt; parcel: Parcel }> {
  try {
    return { receipt: await device.client.submit(identity.board, parcel.envelope), parcel };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'snapshot_stale') {
      if (isFinal(error)) outbox.drop(parcel.id);
      throw error;
    }
  }
  const fresh = { id: parcel.id, envelope: await signAnew(device, identity, parcel) };
  outbox.add(fresh.id, fresh.envelope);
  return { receipt: await device.client.submit(identity.board, fresh.envelope), parcel: fresh };
}

/** What the board will refuse again however often it is sent; the logs still hold what it said. */
function isFinal({ status }: Refusal): boolean {
  return status !== 401 && status !== 408 && status !== 429;
}

async function signAnew(device: Device, identity: Identity, parcel: Parcel): Promise<string> {
  const { payload } = readEnvelope(parcel.envelope, SNAPSHOT_PAYLOAD_TYPE);
  const snapshot = readSnapshot(payload, identity.board);
  const bytes = composeSnapshot({
    ...snapshot,
    issuedAtMs: device.nowMs(),
    buckets: snapshot.records.map(bucketOfRecord),
  });
  return JSON.stringify(await seal(SNAPSHOT_PAYLOAD_TYPE, bytes, signingKey(identity)));
}
