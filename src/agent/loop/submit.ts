import { readEnvelope, seal } from '#core/domain/dsse.ts';
import { DomainError } from '#core/domain/errors.ts';
import { bucketOfRecord } from '#core/domain/record.ts';
import { composeSnapshot, readSnapshot } from '#core/domain/snapshot.ts';
import { uuidV7 } from '#core/domain/uuid.ts';
import { SNAPSHOT_PAYLOAD_TYPE } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { ReceiptAnswer } from '../answers.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure, Refusal } from '../failure.ts';
import { type Identity, signingKey } from '../keystore.ts';
import { Outbox } from '../outbox.ts';
import { COLLECTOR } from '../version.ts';
import { checkReceipt } from './check-receipt.ts';

/** Records in one snapshot: far below the board's limits, whatever the names are. */
const BATCH = 1000;

export interface Submission {
  board: string;
  /** Snapshots and records that the board has accepted in this run. */
  snapshots: number;
  records: number;
  receipts: ReceiptAnswer[];
}

/** A failure after the board had accepted a part. */
export class Interrupted extends Failure {
  override readonly code: string | null;
  readonly submission: Submission;

  constructor(submission: Submission, { message, hint, code }: Failure) {
    super(EXIT.partial, message, hint);
    this.submission = submission;
    this.code = code;
  }
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

/** What the envelopes say that were saved and not answered, oldest first. */
export function pendingStatements(outbox: Outbox, board: string): Statement[] {
  return outbox.pending().flatMap(({ envelope }) => {
    try {
      return [statementOf(envelope, board)];
    } catch (error) {
      if (error instanceof DomainError) return [];
      throw error;
    }
  });
}

/**
 * Sends what one board does not have yet. Every envelope is saved before it is sent and sent again
 * as it is until the board answers, so that a lost answer neither loses nor doubles anything.
 *
 * @throws {Interrupted} if it fails after the board accepted a part.
 */
export async function submit(
  device: Device,
  identity: Identity,
  buckets: readonly Bucket[],
): Promise<Submission> {
  const { board } = identity;
  const submission: Submission = { board, snapshots: 0, records: 0, receipts: [] };
  try {
    await sendAll(device, identity, buckets, submission);
  } catch (error) {
    const isPart = error instanceof Failure && submission.snapshots > 0;
    throw isPart ? new Interrupted(submission, error) : error;
  }
  return submission;
}

async function sendAll(
  device: Device,
  identity: Identity,
  buckets: readonly Bucket[],
  submission: Submission,
): Promise<void> {
  const outbox = outboxOf(device, identity);
  await compareWithBoard(device, identity, outbox);
  for (const { id, envelope } of outbox.pending()) {
    await deliver(device, identity, outbox, { id, envelope }, submission);
  }
  for (const { id, payload } of composePayloads(device, identity.board, outbox.unsent(buckets))) {
    const sealed = await seal(SNAPSHOT_PAYLOAD_TYPE, payload, signingKey(identity));
    const envelope = JSON.stringify(sealed);
    outbox.add(id, envelope);
    await deliver(device, identity, outbox, { id, envelope }, submission);
  }
}

/** Comes before anything is sent: a submission would make a board that was restored look whole. */
async function compareWithBoard(
  { client }: Device,
  identity: Identity,
  outbox: Outbox,
): Promise<void> {
  try {
    const { device } = await client.me(identity);
    outbox.compare(device?.last_submission_at ?? null);
  } catch (error) {
    // A clock that is off spoils a token sooner than a snapshot.
    if (!(error instanceof Refusal) || error.code !== 'token_invalid') throw error;
  }
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
  const { receipt, parcel } = await sendParcel(device, identity, outbox, { id, envelope });
  await checkReceipt(identity, receipt, parcel.envelope);
  const { buckets } = statementOf(parcel.envelope, identity.board);
  outbox.confirm(id, buckets, receipt);
  submission.snapshots += 1;
  submission.records += buckets.length;
  submission.receipts.push(receipt);
}

interface Statement {
  payload: Uint8Array;
  buckets: Bucket[];
}

function statementOf(envelope: string, board: string): Statement {
  const { payload } = readEnvelope(envelope, SNAPSHOT_PAYLOAD_TYPE);
  return { payload, buckets: readSnapshot(payload, board).records.map(bucketOfRecord) };
}

/** Sends a parcel; one that lay too long is signed anew, because the board never took it. */
async function sendParcel(
  device: Device,
  identity: Identity,
  outbox: Outbox,
  parcel: Parcel,
): Promise<{ receipt: ReceiptAnswer; parcel: Parcel }> {
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
