import { join } from 'node:path';
import type { Progress } from '../command.ts';
import type { LocalDevice } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { withLock } from '../state/lock.ts';
import { Outbox } from '../state/outbox.ts';
import type { Pending } from '../reports.ts';
import type { Sendable } from './compose.ts';
import { type SignedStatement, readableStatement } from './deliver.ts';
import { type SendResult, sendAll } from './send-all.ts';

interface SendOptions {
  progress?: Progress;
  /** Called with notes about what was left out, dropped or corrected. */
  note?: (text: string) => void;
  withWithdrawn?: boolean;
}

/** An error after the board had accepted a part. */
export class Interrupted extends Failure {
  override readonly code: string | null;
  readonly submission: SendResult;

  constructor(submission: SendResult, { message, hint, code }: Failure) {
    super(EXIT.partial, message, hint);
    this.submission = submission;
    this.code = code;
  }
}

export function outboxOf(
  { keystore }: Pick<LocalDevice, 'keystore'>,
  { board, device_id }: Pick<Identity, 'board' | 'device_id'>,
): Outbox {
  return new Outbox(keystore.folderOf(board), device_id);
}

/** The statements in pending envelopes, oldest first. */
export function pendingStatements(
  outbox: Outbox,
  board: string,
): (SignedStatement & { id: string })[] {
  return outbox.pending().flatMap(({ id, envelope }) => {
    const statement = readableStatement(envelope, board);
    return statement ? { ...statement, id } : [];
  });
}

export function pendingIn(outbox: Outbox, board: string): Pending {
  const statements = pendingStatements(outbox, board);
  const records = statements.reduce((sum, { buckets }) => sum + buckets.length, 0);
  return { snapshots: outbox.pending().length, records };
}

/**
 * Sends what one board does not have yet. Every envelope is saved before it is sent, and sent again unchanged until
 * the board answers, so a lost response neither loses nor duplicates counts. Only one process sends at a time.
 *
 * @throws {Interrupted} if it fails after the board accepted a part.
 */
export async function submit(
  device: LocalDevice,
  identity: Identity,
  sendable: Sendable,
  { progress, note, withWithdrawn = false }: SendOptions = {},
): Promise<SendResult> {
  const { board } = identity;
  const none = { snapshots: 0, records: 0, receipts: [], corrections: [] };
  const submission: SendResult = { board, ...none };
  const told = {
    progress: (text: string, isNews?: boolean) => progress?.(`${board}: ${text}`, isNews),
    note: (text: string) => note?.(`${board}: ${text}`),
  };
  try {
    await withLock(device, join(device.keystore.folderOf(board), 'lock'), async () => {
      const outbox = outboxOf(device, identity);
      await sendAll({ device, identity, outbox, withWithdrawn, ...told }, sendable, submission);
    });
  } catch (error) {
    const isPart = error instanceof Failure && submission.snapshots > 0;
    throw isPart ? new Interrupted(submission, error) : error;
  }
  return submission;
}
