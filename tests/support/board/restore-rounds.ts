/** A board that is killed while devices submit, and restored from an earlier backup, again and again. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { encodeBundle } from '#core/domain/tlog/bundle.ts';
import { hex } from '#core/domain/log/log-entry.ts';
import {
  checkConsistency,
  checkInclusion,
  parseConsistency,
  parseLogProof,
} from '#core/domain/tlog/log-proof.ts';
import type { Policy } from '#core/domain/tlog/policy.ts';
import { TILE_WIDTH, tilePath, tileWidth } from '#core/domain/tlog/tile.ts';
import { EMPTY_ROOT, type TreeHead, rootOf } from '#core/domain/tlog/tree.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { checkpointPath, databasePath } from '#server/config/config.ts';
import { sha256, verifyEd25519 } from '#server/process/crypto.ts';
import { readLargest } from '#server/public-log/checkpoint-file.ts';
import { type Acknowledged, enrolledSenders, startBusy } from '../agent/senders.ts';
import type { RunningServer } from '../http/server.ts';
import { policyOf } from '../tlog/board-checkpoints.ts';
import { dropDatabase } from '../tlog/published-board.ts';
import { publishedLogKey } from '../tlog/published-log-key.ts';
import { runAdmin } from './admin.ts';
import { aDataDir } from './context.ts';
import { killAfter } from './crash.ts';

const BASE_URL = 'https://board.test';
const tools = { sha256, verify: verifyEd25519 };

/** How many backups are kept. Each round restores the oldest. */
const MAX_BACKUPS = 3;

/** What strangers saw of the log. */
export class Seen {
  readonly #roots = new Map<number, string>();
  readonly receipts: Acknowledged['answer'][] = [];

  /** Never two checkpoints of one size with different roots. */
  addCheckpoint({ size, root }: TreeHead): void {
    expect([size, this.#roots.get(size) ?? hex(root)]).toEqual([size, hex(root)]);
    this.#roots.set(size, hex(root));
  }

  get sizes(): number[] {
    return [...this.#roots.keys()];
  }

  /** Every checkpoint and receipt is one of the board's present log. */
  expectIn(dataDir: string): void {
    const board = inspectDatabase(databasePath({ dataDir }));
    try {
      const node = board.tiles()?.node ?? expect.fail('the board has no tree');
      for (const [size, root] of this.#roots) {
        expect([size, hex(rootOf(size, node, sha256))]).toEqual([size, root]);
      }
      const stored = this.receipts.map(({ log_index }) => board.hashAt(log_index));
      expect(stored).toEqual(this.receipts.map(({ entry_hash }) => entry_hash));
    } finally {
      board.close();
    }
  }
}

/** Reads every checkpoint that a server shows, until it is gone. */
export async function watch({ url }: RunningServer, seen: Seen): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/log/checkpoint`).catch(() => null);
    const note = await response?.text().catch(() => null);
    if (!response || note == null) return;
    if (response.ok) seen.addCheckpoint(parseCheckpoint(parseNote(note).text));
  }
}

/** Where a restore finds the entries that the backup lacks. */
const SOURCES: readonly ((dataDir: string) => Promise<string[]>)[] = [
  () => Promise.resolve(['--force']),
  (dataDir) => {
    const copy = aMirrorOf(dataDir);
    dropDatabase(dataDir);
    return Promise.resolve(['--log', copy]);
  },
  async (dataDir) => {
    const copy = join(aDataDir(), 'log.ndjson.gz');
    expect(await runAdmin(['export', copy], { DATA_DIR: dataDir, BASE_URL })).toMatchObject({
      status: 0,
    });
    dropDatabase(dataDir);
    return ['--log', copy];
  },
];

/** The published log up to the largest checkpoint, as a mirror has it. */
function aMirrorOf(dataDir: string): string {
  const folder = aDataDir();
  const { note = '', size = 0 } = readLargest(checkpointPath({ dataDir })) ?? {};
  writeFileSync(join(folder, 'checkpoint'), note);
  const board = inspectDatabase(databasePath({ dataDir }));
  for (let number = 0; number * TILE_WIDTH < size; number += 1) {
    const width = tileWidth({ level: 'entries', number }, size);
    const path = join(folder, tilePath({ level: 'entries', number, width }));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeBundle(board.tiles()?.entries(number, width) ?? []));
  }
  board.close();
  return folder;
}

/** Expects that a running board proves that it extends what was seen before, and still has a receipt's entry. */
export async function expectProven(
  { url }: RunningServer,
  { older, policy, seen }: { older: TreeHead; policy: Policy; seen: Seen },
): Promise<TreeHead> {
  const consistency = await fetch(`${url}/api/v1/log/consistency?from=${older.size}`);
  const proof = parseConsistency(await consistency.text());
  const newer = await checkConsistency(older, proof, policy, tools);
  const receipt = seen.receipts.find(({ log_index }) => log_index <= older.size);
  if (!receipt) return newer;
  const inclusion = await fetch(`${url}/api/v1/log/proof?log_index=${receipt.log_index}`);
  const included = parseLogProof(await inclusion.text());
  const entry = included.extra ?? new Uint8Array();
  await checkInclusion(entry, included, policy, tools);
  expect(hex(sha256(entry))).toBe(receipt.entry_hash);
  return newer;
}

/**
 * In each round, kills the server while devices submit, and restores an earlier backup with the missing entries from
 * one of the sources. Expects that nobody ever sees two histories.
 */
export async function expectOneHistory(rounds: number): Promise<void> {
  const dataDir = aDataDir();
  const env = { DATA_DIR: dataDir, BASE_URL };
  let server = await startBusy(dataDir);
  const devices = await enrolledSenders(server);
  const policy = policyOf(await publishedLogKey(server.url));
  const seen = new Seen();
  const backups: string[] = [];
  let older: TreeHead = { size: 0, root: EMPTY_ROOT };
  for (let round = 0; round < rounds; round += 1) {
    const file = join(aDataDir(), 'backup.sqlite');
    expect(await runAdmin(['backup', file], env)).toMatchObject({ status: 0 });
    backups.push(file);
    const watching = watch(server, seen);
    const sends = 12 + ((7 * round) % 30);
    const acknowledged = await killAfter(server, devices, { sends, isNow: () => false });
    await watching;
    const published = readLargest(checkpointPath({ dataDir })) ?? expect.fail('no checkpoint');
    seen.addCheckpoint(published);
    const answers = acknowledged.map(({ answer }) => answer).filter(({ log_index }) => log_index);
    seen.receipts.push(...answers.filter(({ log_index }) => log_index <= published.size));
    const source = SOURCES[round % SOURCES.length] ?? expect.fail();
    const words = await source(dataDir);
    if (backups.length > MAX_BACKUPS) backups.shift();
    const restored = await runAdmin(['restore', backups[0] ?? '', ...words], env);
    expect([restored.status, restored.stderr]).toEqual([0, expect.any(String)]);
    seen.expectIn(dataDir);
    server = await startBusy(dataDir);
    older = await expectProven(server, { older, policy, seen });
    seen.addCheckpoint(older);
  }
  expect(seen.sizes.length).toBeGreaterThan(rounds);
  expect(seen.receipts.length).toBeGreaterThan(rounds);
  await server.stop();
  expect(await runAdmin(['verify'], env)).toMatchObject({ status: 0 });
}
