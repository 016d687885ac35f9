/** Adds to the ledger the counts of this device that boards have and that are no longer in its logs. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { LocalDevice } from '../device.ts';
import { withBaseline } from '../state/baseline.ts';
import type { Identity } from '../state/keystore.ts';
import type { SentCounts } from '../ledger/carried.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { outboxOf, pendingStatements } from './submit.ts';

const MAX_AHEAD_MS = 2 * DAY_MS;

type Where = Pick<LocalDevice, 'keystore' | 'nowMs'>;

/**
 * Runs once for each device, and again only if `isRepair`.
 *
 * @returns Notes about the added counts.
 */
export async function adoptSent(where: Where, ledger: Ledger, isRepair = false): Promise<string[]> {
  const notes: string[] = [];
  for (const identity of where.keystore.identities().sound) {
    if (ledger.isAdopted(identity) && !isRepair) continue;
    notes.push(...(await ledger.adopt(sentCounts(where, identity))));
  }
  return notes;
}

function sentCounts(where: Where, identity: Identity): SentCounts {
  const { board, device_id } = identity;
  const outbox = outboxOf(where, identity);
  const untilMs = acceptedMs(where, board, outbox.lastSubmissionAt());
  const sent = outbox.sent().map((bucket) => ({ ...bucket, untilMs }));
  // The board may have what was signed but not answered.
  const pending = pendingStatements(outbox, board).flatMap(({ id, buckets }) => {
    return buckets.map((bucket) => ({ ...bucket, untilMs: signedMs(id) }));
  });
  const stated = withBaseline([...pending, ...sent], outbox.baseline());
  return { board, device_id, stated, ...outbox.countedBy() };
}

/**
 * When the board accepted the last submission, by this device's clock if that is ahead, because the times in logs are
 * from that clock.
 */
function acceptedMs({ keystore, nowMs }: Where, board: string, received_at: string | null): number {
  if (received_at === null) return nowMs();
  const receivedMs = Date.parse(received_at);
  const path = join(keystore.folderOf(board), 'receipts.ndjson');
  const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? receivedMs;
  // If it is much later, the file was copied.
  const isByClock = writtenMs > receivedMs && writtenMs - receivedMs < MAX_AHEAD_MS;
  return isByClock ? writtenMs : receivedMs;
}

/** The time in a submission's ID, a UUID of version 7. */
function signedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
