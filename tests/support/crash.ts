/** A board whose server is killed again and again while devices submit. */
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import type { LogEntryRow } from '#db/log.ts';
import type { SnapshotReceipt } from '#core/contract/snapshots.ts';
import { GENESIS_HASH, entryHash, payloadDigest } from '#core/domain/log-entry.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { sha256 } from '#server/identity/crypto.ts';
import { type TestDevice, bucketsOfDays } from './builders.ts';
import { aDataDir } from './context.ts';
import { type RunningServer, startServer } from './server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from './wire.ts';

const SENDERS = ['ada', 'bea', 'cyd'];
const RECORDS = 20;
/** Snapshots on their way before the server is killed, at most. */
const MAX_SENDS = 30;
/** The port changes with every start; what is signed for must not. */
const BASE_URL = 'https://board.test';

interface Acknowledged {
  envelope: Envelope;
  answer: SnapshotReceipt;
}

function start(dataDir: string): Promise<RunningServer> {
  return startServer({ dataDir, env: { BASE_URL } });
}

/** Sends one snapshot after the other, each larger than the one before, until the server is gone. */
async function sendUntilGone(
  server: RunningServer,
  { device, input }: { device: TestDevice; input: number },
  acknowledged: Acknowledged[],
  onSend: () => void,
): Promise<void> {
  for (;;) {
    const output = 10_000 + acknowledged.length;
    const buckets = bucketsOfDays(RECORDS, '2026-03-01', { input, output });
    const envelope = await device.seal(aLivePayload(server, buckets));
    const sending = postSnapshot(server, envelope).catch(() => null);
    onSend();
    const reply = await sending;
    if (reply === null) return;
    acknowledged.push({ envelope, answer: reply.body });
  }
}

/** Kills the server while the `sends`-th snapshot is on its way. */
async function killAfter(
  server: RunningServer,
  devices: readonly TestDevice[],
  sends: number,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  let sent = 0;
  const onSend = () => {
    sent += 1;
    if (sent === sends) void setImmediate().then(() => server.stop('SIGKILL'));
  };
  // Accounts whose days are equal would be held.
  const senders = devices.map((device, place) =>
    sendUntilGone(server, { device, input: 1_000 + 100 * place }, acknowledged, onSend),
  );
  await Promise.all(senders);
  return acknowledged;
}

/** Every entry's hash, recomputed from the one before it. */
function recomputedHashes(entries: readonly LogEntryRow[]): string[] {
  const hashes: string[] = [];
  for (const { log_index, kind, received_at, salt, payload } of entries) {
    const previous = hashes.at(-1) ?? GENESIS_HASH;
    const digest = payloadDigest(salt ?? Buffer.of(), payload ?? Buffer.of(), sha256);
    hashes.push(entryHash({ index: log_index, kind, previous, received_at }, digest, sha256));
  }
  return hashes;
}

function contentOf(dataDir: string) {
  const db = new Database(`${dataDir}/opbench.sqlite`, { readonly: true });
  const entries = db.prepare('SELECT * FROM log_entries ORDER BY log_index').all() as LogEntryRow[];
  const groups = db.prepare('SELECT count(*) FROM buckets GROUP BY log_index').pluck().all();
  const unlogged = db
    .prepare(
      'SELECT count(*) FROM log_entries WHERE kind = ? AND log_index NOT IN (SELECT log_index FROM submissions)',
    )
    .pluck()
    .get('snapshot');
  db.close();
  return { entries, groups, unlogged };
}

/** Kills the server in the middle of submissions, and expects nothing acknowledged lost and nothing half. */
export async function expectToSurvive(rounds: number): Promise<void> {
  const dataDir = aDataDir();
  let server = await start(dataDir);
  const cookies = await Promise.all(SENDERS.map((codename) => server.signIn(codename)));
  const devices = await Promise.all(cookies.map((cookie) => enrollOverHttp(server, cookie)));
  const acknowledged: Acknowledged[] = [];

  for (let round = 1; round <= rounds; round += 1) {
    acknowledged.push(...(await killAfter(server, devices, 3 + ((3 * round) % MAX_SENDS))));
    server = await start(dataDir);
  }

  const replies = [];
  for (const { envelope } of acknowledged) replies.push(await postSnapshot(server, envelope));
  const { entries, groups, unlogged } = contentOf(dataDir);
  expect(acknowledged.length).toBeGreaterThan(rounds);
  expect(replies.map(({ status }) => status)).toEqual(acknowledged.map(() => 200));
  expect(replies.map(({ body }) => body)).toEqual(acknowledged.map(({ answer }) => answer));
  expect(recomputedHashes(entries)).toEqual(entries.map(({ entry_hash }) => entry_hash));
  expect(groups).toEqual(SENDERS.map(() => RECORDS));
  expect(unlogged).toBe(0);
}
