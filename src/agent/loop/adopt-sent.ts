/** Takes into the ledger what boards have of this device and its logs do not tell any more. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DAY_MS } from '#core/domain/counting/day.ts';
import type { Device } from '../device.ts';
import { baselineIn, withBaseline } from '../kept/baseline.ts';
import { CountedLogs } from '../kept/counted-logs.ts';
import { readJson } from '../kept/files.ts';
import type { Identity } from '../kept/keystore.ts';
import type { SentCounts } from '../ledger/adopt.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Stated } from '../ledger/types.ts';
import { outboxOf } from './submit.ts';
import { readableStatement } from './deliver.ts';

const Count = z.number().nullable();

/** What this version needs of `sent.json`; versions up to 0.9 keep in it which logs they counted. */
const Sent = z.object({
  device_id: z.string(),
  received_at: z.iso.datetime({ offset: true }).nullable().default(null),
  rules: z.record(z.string(), z.number()).default({}),
  logs: z.record(z.string(), CountedLogs).nullable().default(null).catch(null),
  buckets: z.record(z.string(), z.tuple([z.number(), z.number(), Count, Count]).rest(z.unknown())),
});
type Sent = z.infer<typeof Sent>;

/** A clock that is a day ahead, and some. */
const MAX_AHEAD_MS = 2 * DAY_MS;

type Where = Pick<Device, 'keystore' | 'nowMs'>;

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
  const folder = where.keystore.folderOf(board);
  const kept = readJson(join(folder, 'sent.json'), Sent);
  const sent = kept?.device_id === device_id ? kept : null;
  const above = [...pending(where, identity), ...(sent ? accepted(where, board, sent) : [])];
  const stated = withBaseline(above, baselineIn(folder, device_id));
  return { board, device_id, stated, rules: sent?.rules ?? {}, logs: sent?.logs ?? null };
}

function accepted(where: Where, board: string, { received_at, buckets }: Sent): Stated[] {
  const untilMs = acceptedMs(where, board, received_at);
  return Object.entries(buckets).flatMap(([key, [input, output, cache_write, cache_read]]) => {
    const [day, tool, provider, model] = key.split('\n');
    if (!day || !tool || provider === undefined || model === undefined) return [];
    return { day, tool, provider, model, input, output, cache_write, cache_read, untilMs };
  });
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

/** What was signed and not answered: the board may have it. */
function pending(where: Where, identity: Identity): Stated[] {
  return outboxOf(where, identity)
    .pending()
    .flatMap(({ id, envelope }) => {
      const untilMs = signedMs(id);
      const statement = readableStatement(envelope, identity.board);
      return (statement?.buckets ?? []).map((bucket) => ({ ...bucket, untilMs }));
    });
}

/** The instant in the number of a submission, a UUID of version 7. */
function signedMs(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}
