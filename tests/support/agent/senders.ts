/** Devices that submit to a server that may crash at any time, and the checks afterwards. */
import { openToRead } from '../board/stored-forms.ts';
import { expect } from 'vitest';
import type { LogEntryRow } from '#db/log.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { GENESIS_HASH, entryHash, payloadDigest } from '#core/domain/log/log-entry.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/process/crypto.ts';
import { type TestDevice, bucketsOfDays } from '../board/builders.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '../http/wire.ts';

const SENDERS = ['ada', 'bea', 'cyd'];
const RECORDS = 20;
/** The port changes with every start, but the address in signatures must not. */
const BASE_URL = 'https://board.test';

export interface Acknowledged {
  envelope: Envelope;
  answer: SnapshotReceipt;
}

/** Called when a snapshot is sent, and when it is acknowledged. */
export interface Sending {
  onSend: () => void;
  onAcknowledged: (what: Acknowledged) => void;
}

/** Starts a server that publishes nearly all the time. */
export function startBusy(dataDir: string): Promise<RunningServer> {
  return startServer({ dataDir, env: { BASE_URL, REFRESH_SECONDS: '0.1' } });
}

/** One device for each of three operators. */
export async function enrolledSenders(server: RunningServer): Promise<TestDevice[]> {
  const cookies = await Promise.all(SENDERS.map((codename) => server.signIn(codename)));
  return Promise.all(cookies.map((cookie) => enrollOverHttp(server, cookie)));
}

/** All devices send different snapshots one after the other, until the server is gone. */
export async function sendUntilGone(
  server: RunningServer,
  devices: readonly TestDevice[],
  sending: Sending,
): Promise<void> {
  let sent = 0;
  const sendAll = async (device: TestDevice, place: number) => {
    for (;;) {
      sent += 1;
      // Accounts with equal days would be put on hold.
      const buckets = bucketsOfDays(RECORDS, '2026-03-01', {
        input: 1_000 + 100 * place,
        output: 10_000 + sent,
      });
      const envelope = await device.seal(aLivePayload(server, buckets));
      const answering = postSnapshot(server, envelope).catch(() => null);
      sending.onSend();
      const reply = await answering;
      if (reply === null) return;
      sending.onAcknowledged({ envelope, answer: reply.body });
    }
  };
  await Promise.all(devices.map(sendAll));
}

/** Expects a database to be undamaged, and to contain everything that was acknowledged. */
export function expectWhole(dataDir: string, acknowledged: readonly Acknowledged[]): void {
  const { integrity, entries, groups, unlogged } = contentOf(dataDir);
  expect(integrity).toBe('ok');
  expect(recomputedHashes(entries)).toEqual(entries.map(({ entry_hash }) => entry_hash));
  const stored = acknowledged.map(({ answer }) => entries[answer.log_index - 1]?.entry_hash);
  expect(stored).toEqual(acknowledged.map(({ answer }) => answer.entry_hash));
  expect(new Set(groups)).toEqual(new Set(acknowledged.length > 0 ? [RECORDS] : []));
  expect(unlogged).toBe(0);
}

function contentOf(dataDir: string) {
  const db = openToRead(`${dataDir}/opbench.sqlite`);
  try {
    const unlogged = db.prepare(
      `SELECT count(*) FROM log_entries WHERE kind = 'snapshot' AND payload IS NOT NULL
         AND log_index NOT IN (SELECT log_index FROM submissions)`,
    );
    return {
      integrity: db.pragma('integrity_check', { simple: true }),
      entries: db.prepare('SELECT * FROM log_entries ORDER BY log_index').all() as LogEntryRow[],
      groups: db.prepare('SELECT count(*) FROM buckets GROUP BY log_index').pluck().all(),
      unlogged: unlogged.pluck().get(),
    };
  } finally {
    db.close();
  }
}

/** Every entry's hash, recomputed from the previous one. For erased entries only the digest is left. */
function recomputedHashes(entries: readonly LogEntryRow[]): string[] {
  const hashes: string[] = [];
  for (const { log_index, kind, received_at, salt, payload, payload_digest } of entries) {
    const previous = hashes.at(-1) ?? GENESIS_HASH;
    const digest = salt && payload ? payloadDigest(salt, payload, sha256) : payload_digest;
    hashes.push(entryHash({ index: log_index, kind, previous, received_at }, digest, sha256));
  }
  return hashes;
}
