/** What a broken network, a full disk and ctrl-C leave: a message, and every record once. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  type Installation,
  anInstallation,
  daysAgo,
  enroll,
} from '../support/agent/installation.ts';
import { aClaudeLine } from '../support/logs/log-writers.ts';
import { type Started, built, start } from '../support/http/process.ts';
import { type RunningServer, eventually, startServer } from '../support/http/server.ts';
import { type StandBetween, aStandBetween } from '../support/http/stand-between.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };
interface Place {
  between: StandBetween;
  server: RunningServer;
  device: Installation;
}

/** A device with a day of logs, enrolled on a board that it reaches through a stand-in. */
async function aPlace(): Promise<Place> {
  const between = await aStandBetween();
  const server = await startServer({ env: { BASE_URL: between.url } });
  between.forwardTo(server.url);
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  const enrolled = await enroll(device, between.url, await server.signIn('ada'));
  expect(enrolled).toMatchObject({ status: 0 });
  return { between, server, device };
}

/** How many snapshots and buckets the board has taken. */
function taken({ server }: Place): { snapshots: unknown; buckets: unknown } {
  const db = new Database(`${server.dataDir}/opbench.sqlite`, { readonly: true });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  const counts = { snapshots: count('submissions'), buckets: count('buckets') };
  db.close();
  return counts;
}

function isSnapshot({ path }: { path: string }): boolean {
  return path === '/api/v1/snapshots';
}

/** The snapshots that were sent since so many, each as often as it was sent. */
function sentSince({ between }: Place, before = 0): string[] {
  return between.asked
    .filter(isSnapshot)
    .slice(before)
    .map(({ body }) => body);
}

/** Files in the board's folder of an installation. */
function kept({ home }: Installation, ...names: string[]): string {
  const boards = join(home, '.config', 'opbench', 'boards');
  return join(boards, readdirSync(boards)[0] ?? '', ...names);
}

/** Stops what runs as ctrl-C does, and expects that it says so. */
async function interrupt({ child, finished }: Started): Promise<void> {
  child.kill('SIGINT');
  expect(await finished).toMatchObject({
    status: 130,
    stderr: expect.stringContaining('Nothing is lost or sent twice'),
  });
}

/** Everything passes again: the next run sends what one day says, and leaves nothing behind. */
async function goesOn(place: Place): Promise<void> {
  place.between.decide(() => 'pass');
  const ended = await place.device.run('submit');
  expect(ended).toMatchObject({ status: 0, stdout: expect.stringContaining('1 record accepted') });
  expect(existsSync(kept(place.device, 'lock'))).toBe(false);
}

test('a network that breaks after the board took a snapshot, and two runs at once', async () => {
  const place = await aPlace();
  let snapshots = 0;
  place.between.decide((asked) => {
    return isSnapshot(asked) && (snapshots += 1) === 1 ? 'lose_answer' : 'pass';
  });

  const ended = await place.device.run('submit');
  const sent = sentSince(place);
  place.device.logDay(daysAgo(2), COUNTS);
  const both = await Promise.all([place.device.run('submit'), place.device.run('submit')]);

  expect(ended).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^\S+ trying up to 4 more times[^]*\n$/),
  });
  expect(ended.stdout).toContain('1 record accepted');
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(taken(place)).toEqual({ snapshots: 2, buckets: 2 });
});

test('ctrl-C after the envelope is saved, and while the answer is outstanding', async () => {
  const place = await aPlace();
  const first = place.device.start('submit');
  place.between.decide(async (asked) => {
    if (!isSnapshot(asked)) return 'pass';
    await interrupt(first);
    return 'lose_request';
  });
  await first.finished;
  expect(taken(place)).toEqual({ snapshots: 0, buckets: 0 });
  await goesOn(place);
  const [saved] = sentSince(place);
  expect(sentSince(place)).toEqual([saved, saved]);

  place.device.logDay(daysAgo(2), COUNTS);
  place.between.decide((asked) => (isSnapshot(asked) ? 'hold_answer' : 'pass'));
  const second = place.device.start('submit');
  await eventually(
    async () => taken(place).snapshots,
    (snapshots) => snapshots === 2,
  );
  await interrupt(second);
  await goesOn(place);

  const [again] = sentSince(place, 2);
  expect(sentSince(place, 2)).toEqual([again, again]);
  expect(taken(place)).toEqual({ snapshots: 2, buckets: 2 });
});

test('a day of which transcripts were deleted after submit or scan had read them, and new work on it', async () => {
  const place = await aPlace();
  const day = daysAgo(1);
  const pathOf = (name: string) => join(place.device.home, '.claude/projects/p', `${name}.jsonl`);
  const work = (name: string, output: number) => {
    const at = Date.parse(`${day}T15:00:00Z`) - Date.UTC(2026, 2, 2) + output;
    writeFileSync(pathOf(name), `${aClaudeLine({ id: `msg_${name}`, at, output })}\n`);
  };
  work('second', 400);
  await goesOn(place);
  rmSync(pathOf(day));
  work('third', 30);
  await place.device.run('scan');
  rmSync(pathOf('third'));
  work('fourth', 5);

  await goesOn(place);

  const db = new Database(`${place.server.dataDir}/opbench.sqlite`, { readonly: true });
  const outputs = db.prepare('SELECT output FROM buckets').pluck().all();
  db.close();
  expect(outputs).toEqual([COUNTS.output + 435]);
});

test.runIf(existsSync('/proc/self/fd'))('ctrl-C while logs are read', async () => {
  const { home, start: begin } = anInstallation();
  const log = join(home, '.claude', 'projects', 'p', 'large.jsonl');
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, '');
  truncateSync(log, 64 * 1024 ** 3);

  const running = begin('scan');
  await eventually(
    async () => openFiles(running.child.pid),
    (files) => files.includes(log),
  );

  await interrupt(running);
});

function openFiles(pid = 0): string[] {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    return [];
  }
}

test.runIf(process.platform === 'linux')('a disk that is full', async () => {
  const place = await aPlace();
  place.device.logDay(daysAgo(2), COUNTS);
  /** Submits where no file can grow beyond so many KiB. */
  const submitWithin = (kib: number) => {
    const script = `ulimit -f ${kib}; exec "$@"`;
    const command = [process.execPath, built('opbench.mjs'), 'submit'];
    const env = { HOME: place.device.home };
    return start('/bin/bash', ['-c', script, 'bash', ...command], env).finished;
  };

  const unsaved = await submitWithin(1);
  const asked = place.between.asked.some(isSnapshot);
  const earlier = { log_index: 1, entry_hash: 'x'.repeat(8000) };
  writeFileSync(kept(place.device, 'receipts.ndjson'), `${JSON.stringify(earlier)}\n`);
  const unkept = await submitWithin(6);
  const again = await place.device.run('submit');

  expect(unsaved.status).toBe(1);
  expect(unsaved.stderr).toMatch(/outbox.*\scannot be written: EFBIG/);
  expect(asked).toBe(false);
  expect(unkept.status).toBe(1);
  expect(unkept.stderr).toContain('has accepted 2 records, but');
  expect(unkept.stderr).toContain('does not count twice');
  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('2 records') });
  expect(taken(place)).toEqual({ snapshots: 1, buckets: 2 });
});
