import { join } from 'node:path';
import type { Progress } from '../command.ts';
import type { Device } from '../device.ts';
import { EXIT, Failure } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import { withLock } from '../state/lock.ts';
import { Outbox } from '../state/outbox.ts';
import type { Pending } from '../reports.ts';
import type { Sendable } from './compose.ts';
import { type SignedStatement, readableStatement } from './deliver.ts';
import { type Submission, sendAll } from './send-all.ts';

/** Options of one submission, and who hears of it while it goes on. */
interface SendOptions {
  progress?: Progress;
  /** Hears what was left out, dropped or corrected. */
  note?: (text: string) => void;
  /** Whether withdrawn days are sent again. */
  withWithdrawn?: boolean;
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

/** What is on its way to an identity's board, and what has arrived there. */
export function outboxOf(
  { keystore }: Pick<Device, 'keystore'>,
  { board, device_id }: Pick<Identity, 'board' | 'device_id'>,
): Outbox {
  return new Outbox(keystore.folderOf(board), device_id);
}

/** What the envelopes say that were saved and not answered, oldest first. */
export function pendingStatements(
  outbox: Outbox,
  board: string,
): (SignedStatement & { id: string })[] {
  return outbox.pending().flatMap(({ id, envelope }) => {
    const statement = readableStatement(envelope, board);
    return statement ? { ...statement, id } : [];
  });
}

/** How much of what was signed has not been answered. */
export function pendingIn(outbox: Outbox, board: string): Pending {
  const statements = pendingStatements(outbox, board);
  const records = statements.reduce((sum, { buckets }) => sum + buckets.length, 0);
  return { snapshots: outbox.pending().length, records };
}

/**
 * Sends what one board does not have yet. Every envelope is saved before it is sent and sent again
 * as it is until the board answers, so that a lost answer neither loses nor doubles anything. Of
 * several processes one sends at a time.
 *
 * @throws {Interrupted} if it fails after the board accepted a part.
 */
export async function submit(
  device: Device,
  identity: Identity,
  sendable: Sendable,
  { progress, note, withWithdrawn = false }: SendOptions = {},
): Promise<Submission> {
  const { board } = identity;
  const none = { snapshots: 0, records: 0, receipts: [], corrections: [] };
  const submission: Submission = { board, ...none };
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
