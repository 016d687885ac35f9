/** Takes into the ledger what boards have of this device and its logs do not tell any more. */
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
 * Does it once for each device; again only if `isRepair`.
 *
 * @returns What was taken.
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
  // What was signed and not answered, the board may have.
  const pending = pendingStatements(outbox, board).flatMap(({ id, buckets }) => {
    return buckets.map((bucket) => ({ ...bucket, untilMs: signedMs(id) }));
  });
  const stated = withBaseline([...pending, ...sent], outbox.baseline());
  return { board, device_id, stated, ...outbox.countedBy() };
}

/**
 * When the board took the last submission, by the clock of this device if that is ahead: logs tell their
 * instants by it.
 */
function acceptedMs({ keystore, nowMs }: Where, board: string, received_at: string | null): number {
  if (received_at === null) return nowMs();
  const receivedMs = Date.parse(received_at);
  const path = join(keystore.folderOf(board), 'receipts.ndjson');
  const writtenMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? receivedMs;
  // Much later, the file was copied.
  const isByClock = writtenMs > receivedMs && writtenMs - receivedMs < MAX_AHEAD_MS;
  return isByClock ? writtenMs : receivedMs;
}

/** The instant in the number of a submission, a UUID of version 7. */
function signedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
