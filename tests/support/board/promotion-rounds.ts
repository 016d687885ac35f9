/** A writer that is killed or cut off while devices submit, and a second machine that takes over, again and again. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { EMPTY_ROOT, type TreeHead } from '#core/domain/tlog/tree.ts';
import type { Envelope, SnapshotPayload } from '#core/schema/snapshot.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { databasePath } from '#server/config/config.ts';
import { readClaim } from '#server/object-store/writer-claim.ts';
import { type Acknowledged, enrolledSenders, sendUntilGone } from '../agent/senders.ts';
import { runBuilt } from '../http/process.ts';
import { type RunningServer, eventually, startServer } from '../http/server.ts';
import { aLivePayload, postSnapshot } from '../http/wire.ts';
import { type S3, startS3 } from '../store/s3-server.ts';
import { policyOf } from '../tlog/board-checkpoints.ts';
import { publishedLogKey } from '../tlog/published-log-key.ts';
import { type TestDevice, bucketsOfDays } from './builders.ts';
import { whenOver } from './cleanup.ts';
import { aDataDir } from './context.ts';
import { openToRead } from './stored-forms.ts';
import { Seen, expectProven, watch } from './restore-rounds.ts';

const BASE_URL = 'https://board.test';
const RECORDS = 20;

/** What a round does. */
export interface Plan {
  /** The copy of the database: a backup from before the load, or one from seconds before the end. */
  copy: 'backup' | 'replica';
  /** Whether the old writer goes on, because only its visitors cannot reach it. */
  isCutOff: boolean;
  /** How many submissions are sent before the end. */
  sends: number;
}

/** Seconds, from the end of the old writer on. */
export interface Times {
  copy: Plan['copy'];
  isCutOff: boolean;
  /** How long the program took that promotes. */
  promoted: number;
  /** Until the first submission was accepted. */
  accepted: number;
  /** From the moment the claim was taken over until the old writer refused; null if it was killed. */
  fenced: number | null;
  /** Acknowledged submissions in this round, those that were published, and those that were in no copy. */
  acknowledged: number;
  published: number;
  lost: number;
}

interface Scene {
  s3: S3;
  devices: readonly TestDevice[];
  seen: Seen;
  server: RunningServer;
}

/** Runs rounds of a board that moves from machine to machine, and returns their times. */
export async function expectOneWriter(plans: readonly Plan[]): Promise<Times[]> {
  const s3 = await startS3();
  whenOver(() => void s3.stop());
  const server = await startWriter(s3, aDataDir());
  const devices = await enrolledSenders(server);
  const policy = policyOf(await publishedLogKey(server.url));
  const scene: Scene = { s3, devices, seen: new Seen(), server };
  let older: TreeHead = { size: 0, root: EMPTY_ROOT };
  const times: Times[] = [];
  for (const plan of plans) {
    times.push(await round(scene, plan));
    await untilShown(scene.server);
    older = await expectProven(scene.server, { older, policy, seen: scene.seen });
    scene.seen.addCheckpoint(older);
  }
  expect(scene.seen.sizes.length).toBeGreaterThan(plans.length);
  const { dataDir } = scene.server;
  await scene.server.stop();
  const env = { DATA_DIR: dataDir, BASE_URL };
  expect(await runBuilt('opbench-board.mjs', ['verify'], env)).toMatchObject({ status: 0 });
  return times;
}

function startWriter({ env }: S3, dataDir: string): Promise<RunningServer> {
  return startServer({ dataDir, env: { BASE_URL, REFRESH_SECONDS: '0.2', ...env } });
}

async function round(scene: Scene, plan: Plan): Promise<Times> {
  const { s3, devices, seen, server: old } = scene;
  const earlier = copyOf(old.dataDir);
  const watching = watch(old, seen);
  const load = new Load(old, devices);
  await load.until(Math.ceil(plan.sends / 2));
  await untilPublished(s3, load);
  const copy = plan.copy === 'backup' ? earlier : copyOf(old.dataDir);
  await load.until(plan.sends);
  if (!plan.isCutOff) await old.stop('SIGKILL');
  const endedMs = performance.now();

  const dataDir = aDataDir();
  const env = { DATA_DIR: dataDir, BASE_URL, ...s3.env };
  const promoting = runBuilt('opbench-board.mjs', ['promote', copy, '--json'], env);
  const promoted = await promoting;
  expect([promoted.status, promoted.stderr]).toEqual([0, expect.any(String)]);
  const promotedMs = performance.now();
  const fenced = plan.isCutOff ? await fencedAfter(load, s3) : null;
  if (plan.isCutOff) await expectFenced(old);
  await old.stop('SIGKILL');
  await load.ended;
  await watching;

  const { published } = JSON.parse(promoted.stdout) as { published: number };
  const { acknowledged } = load;
  const shown = acknowledged.filter(({ answer }) => answer.log_index <= published);
  seen.receipts.push(...shown.map(({ answer }) => answer));
  seen.expectIn(dataDir);
  scene.server = await startWriter(s3, dataDir);
  const acceptedMs = await firstAccepted(scene);
  const lost = await expectKept(scene, load, published);
  await expectRefused(old.dataDir, s3);
  return {
    ...{ copy: plan.copy, isCutOff: plan.isCutOff, fenced },
    promoted: secondsBetween(endedMs, promotedMs),
    accepted: secondsBetween(endedMs, acceptedMs),
    ...{ acknowledged: acknowledged.length, published: shown.length, lost },
  };
}

/** Waits until readers see a checkpoint, which is in the object store then. */
async function untilShown({ url }: RunningServer): Promise<void> {
  await eventually(
    async () => (await fetch(`${url}/log/checkpoint`)).status,
    (status) => status === 200,
  );
}

/** Waits until something that was acknowledged is in the object store. */
async function untilPublished({ store }: S3, { acknowledged }: Load): Promise<void> {
  const size = async () => {
    const found = await store.get('log/checkpoint');
    const note = found === null ? null : found.bytes.toString();
    return note === null ? 0 : parseCheckpoint(parseNote(note).text).size;
  };
  await eventually(size, (found) => found >= (acknowledged[0]?.answer.log_index ?? Infinity));
}

/** The database at one moment, as a backup or a replica has it. */
function copyOf(dataDir: string): string {
  const file = join(aDataDir(), 'copy.sqlite');
  const db = new Database(databasePath({ dataDir }), { readonly: true });
  db.prepare('VACUUM INTO ?').run(file);
  db.close();
  return file;
}

/** Devices that submit until the server is gone, or does not accept any more. */
class Load {
  readonly acknowledged: Acknowledged[] = [];
  readonly ended: Promise<void>;
  /** When the first submission was refused, by the clock. */
  refusedMs: number | null = null;
  #sent = 0;
  #waiting: (() => void)[] = [];

  constructor(server: RunningServer, devices: readonly TestDevice[]) {
    this.ended = sendUntilGone(server, devices, {
      onSend: () => {
        this.#sent += 1;
        this.#waiting.splice(0).forEach((look) => look());
      },
      onAcknowledged: (what) => {
        if (what.answer.log_index !== undefined) this.acknowledged.push(what);
        else this.refusedMs ??= Date.now();
      },
    });
  }

  async until(sends: number): Promise<void> {
    while (this.#sent < sends) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

async function fencedAfter(load: Load, { store }: S3): Promise<number> {
  const refusedMs = await eventually(
    async () => load.refusedMs,
    (found) => found !== null,
  );
  const claim = await readClaim(store);
  if (claim === null) throw new Error('The store has no claim');
  const since = Date.parse(claim.value.since);
  return secondsBetween(since, refusedMs ?? expect.fail('the old writer went on'));
}

/** A writer that was replaced is not ready, and its log does not grow. */
async function expectFenced({ url }: RunningServer): Promise<void> {
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
}

/** Sends new counts of the first device until they are accepted. Returns when. */
async function firstAccepted({ server, devices: [device] }: Scene): Promise<number> {
  const buckets = bucketsOfDays(RECORDS, '2026-03-01', { output: 1 });
  const { status } = await eventually(
    async () => postSnapshot(server, await sealed(server, device ?? expect.fail(), buckets)),
    (reply) => reply.status === 201,
  );
  expect(status).toBe(201);
  return performance.now();
}

function sealed(server: RunningServer, device: TestDevice, buckets: readonly Bucket[]) {
  return device.seal(aLivePayload(server, buckets));
}

/**
 * Expects that every acknowledged submission that was published is still there, with its answer, and that counts are
 * complete once devices sent the others again.
 *
 * @returns How many acknowledged submissions are lost.
 */
async function expectKept({ server, devices }: Scene, load: Load, published: number) {
  const board = openToRead(databasePath(server));
  const at = board.prepare(
    'SELECT entry_hash, payload IS NOT NULL AS whole FROM log_entries WHERE log_index = ?',
  );
  const isThere = ({ answer }: Acknowledged) => {
    const found = at.get(answer.log_index) as { entry_hash: string; whole: 0 | 1 } | undefined;
    return found?.entry_hash === answer.entry_hash && found.whole === 1;
  };
  const lost = load.acknowledged.filter((each) => !isThere(each));
  expect(lost.filter(({ answer }) => answer.log_index <= published)).toEqual([]);
  for (const device of devices.slice(1)) {
    const own = load.acknowledged.filter(({ envelope }) => keyOf(envelope) === device.keyid);
    const last = own.at(-1);
    if (!last) continue;
    const reply = await postSnapshot(server, last.envelope);
    if (lost.includes(last)) expect(reply.status).toBe(201);
    else expect([reply.status, reply.body]).toEqual([200, last.answer]);
    const outputs = outputsOf(board, device);
    expect(outputs).toHaveLength(1);
    // A later one may have been stored and published, but not acknowledged.
    expect(outputs[0]).toBeGreaterThanOrEqual(outputOf(last.envelope));
  }
  board.close();
  return lost.length;
}

const keyOf = ({ signatures }: Envelope) => signatures[0]?.keyid;

/** The output of each record of a submission, which is the same in all of them. */
function outputOf({ payload }: Envelope): number {
  const { records } = JSON.parse(Buffer.from(payload, 'base64').toString()) as SnapshotPayload;
  return records[0]?.telemetry.output ?? expect.fail('a submission has records');
}

/** The different outputs that count for a device. */
function outputsOf(board: Database.Database, { keyid }: TestDevice): number[] {
  const counted = board.prepare(`SELECT DISTINCT output FROM buckets
    WHERE device_id = (SELECT device_id FROM device_keys WHERE keyid = ?)`);
  return counted.pluck().all(keyid) as number[];
}

/** A writer that was replaced does not start any more. */
async function expectRefused(dataDir: string, s3: S3): Promise<void> {
  await expect(startWriter(s3, dataDir)).rejects.toThrow('Another machine became the writer');
}

const secondsBetween = (fromMs: number, toMs: number) => Math.round(toMs - fromMs) / 1_000;
