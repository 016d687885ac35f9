/** A board whose computer loses power repeatedly, simulated by its files. */
import { copyFileSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { aDataDir } from './context.ts';
import {
  type Acknowledged,
  enrolledSenders,
  expectWhole,
  sendUntilGone,
  startBusy,
} from '../agent/senders.ts';
import { type RunningServer, eventually } from '../http/server.ts';

const DATABASE = 'opbench.sqlite';
const WAL_HEADER = 32;
const FRAME_HEADER = 24;
const SALT = { at: 16, length: 8 } as const;
/** The position in the wal-index of the number of frames that a checkpoint has begun to copy into the database. */
const COPIED_AT = 128;

/** The maximum numbers of acknowledged snapshots, and of turns of the event loop, between two power cuts. */
const MAX_BETWEEN = 12;
const MAX_TURNS = 40;

/** Numbers from 0 to 1 that follow from a seed, so that a failure can be repeated. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** How far the write-ahead log with this salt was written. */
interface Written {
  salt: string;
  end: number;
}

/** The end of the last complete transaction in a write-ahead log; 0 if there is none. */
function writtenIn(wal: Buffer): Written {
  if (wal.length < WAL_HEADER) return { salt: '', end: 0 };
  const saltOf = (at: number) => wal.toString('hex', at, at + SALT.length);
  const salt = saltOf(SALT.at);
  const frame = FRAME_HEADER + wal.readUInt32BE(8);
  let end = 0;
  for (let at = WAL_HEADER; at + frame <= wal.length && saltOf(at + 8) === salt; at += frame) {
    const isCommit = wal.readUInt32BE(at + 4) > 0;
    if (isCommit) end = at + frame;
  }
  return { salt, end };
}

/** Data is synced before a checkpoint may copy it. */
function copiedEnd(dataDir: string, wal: Buffer): number {
  const index = join(dataDir, `${DATABASE}-shm`);
  if (!existsSync(index) || wal.length < WAL_HEADER) return 0;
  const frames = readFileSync(index).readUInt32LE(COPIED_AT);
  return WAL_HEADER + frames * (FRAME_HEADER + wal.readUInt32BE(8));
}

/** Stops a process, and waits until the kernel reports that all of its threads have stopped. */
async function stopAtOnce({ pid }: RunningServer): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const states = async () => readdirSync(`/proc/${pid}/task`).map((task) => stateOf(pid, task));
  const seen = await eventually(states, (all) => all.every((state) => state === 'T'));
  if (seen.some((state) => state !== 'T')) throw new Error('The server does not stop');
}

function stateOf(pid: number, task: string): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8'))?.[1];
}

/** Loses what a write-ahead log may lose: its end is truncated, or garbled like half-written sectors. */
function withoutTail(wal: Buffer, kept: number, random: () => number): Buffer {
  const from = Math.min(wal.length, kept + Math.floor(random() * (wal.length - kept + 1)));
  if (random() < 0.5) return wal.subarray(0, from);
  const garbled = Buffer.from(wal);
  for (let at = from; at < garbled.length; at += 1) garbled[at] = Math.floor(random() * 256);
  return garbled;
}

/** The files as they would be found if the power failed now, in a separate folder. */
function copyAfterCut(dataDir: string, acknowledged: readonly Written[], random: () => number) {
  const copy = aDataDir();
  copyFileSync(join(dataDir, DATABASE), join(copy, DATABASE));
  const wal = readFileSync(join(dataDir, `${DATABASE}-wal`));
  const { salt } = writtenIn(wal);
  const ends = acknowledged.filter((written) => written.salt === salt).map(({ end }) => end);
  const kept = Math.max(WAL_HEADER, copiedEnd(dataDir, wal), ...ends);
  writeFileSync(join(copy, `${DATABASE}-wal`), withoutTail(wal, kept, random));
  return copy;
}

/**
 * Cuts the power at random moments while devices submit. Expects that nothing acknowledged is lost and nothing is
 * incomplete.
 */
export async function expectToOutlast(rounds: number, seed: number): Promise<void> {
  const random = randomOf(seed);
  const dataDir = aDataDir();
  const server = await startBusy(dataDir);
  const devices = await enrolledSenders(server);
  const acknowledged: Acknowledged[] = [];
  const written: Written[] = [];
  const moment: { after: number; reached: () => void } = { after: 0, reached: () => undefined };
  const sending = sendUntilGone(server, devices, {
    onSend: () => undefined,
    onAcknowledged(what) {
      acknowledged.push(what);
      written.push(writtenIn(readFileSync(join(dataDir, `${DATABASE}-wal`))));
      if (acknowledged.length >= moment.after) moment.reached();
    },
  });
  for (let round = 1; round <= rounds; round += 1) {
    moment.after = acknowledged.length + 1 + Math.floor(random() * MAX_BETWEEN);
    await new Promise<void>((resolve) => (moment.reached = resolve));
    for (let turns = random() * MAX_TURNS; turns > 0; turns -= 1) await setImmediate();
    await stopAtOnce(server);
    const copy = copyAfterCut(dataDir, written, random);
    const until = acknowledged.length;
    process.kill(server.pid, 'SIGCONT');
    expectWhole(copy, acknowledged.slice(0, until));
  }
  await server.stop('SIGKILL');
  await sending;
}
