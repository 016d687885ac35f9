/** After a broken network, a full disk or Ctrl+C, there is a message, and every record counts once. */
import { openToRead } from '#tests/support/board/stored-forms.ts';
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
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Installation,
  anInstallation,
  daysAgo,
  enroll,
} from '#tests/support/agent/installation.ts';
import { sharing } from '#tests/support/board/cleanup.ts';
import { aClaudeLine } from '#tests/support/logs/log-writers.ts';
import { type Started, HAS_SIGNALS, built, start } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, sharedServer } from '#tests/support/http/server.ts';
import { type StandBetween, aStandBetween } from '#tests/support/http/stand-between.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

let between: StandBetween;
const cleanups: (() => void)[] = [];
const board = sharedServer(() => ({ env: { BASE_URL: between.url } }));

beforeAll(async () => void (between = await sharing(cleanups, aStandBetween)));
afterAll(() => cleanups.forEach((clean) => clean()));

interface Place {
  codename: string;
  server: RunningServer;
  device: Installation;
}

/** A device of a new operator with one day of logs, enrolled on a board through a proxy that can lose requests. */
async function aPlace(codename: string): Promise<Place> {
  const server = await board();
  between.forwardTo(server.url);
  between.decide(() => 'pass');
  const device = anInstallation();
  device.logDay(daysAgo(1), COUNTS);
  const enrolled = await enroll(device, between.url, await server.signIn(codename));
  expect(enrolled).toMatchObject({ status: 0 });
  between.asked.length = 0;
  return { codename, server, device };
}

/** The values of a column on the board for the operator. */
function heldOf({ server, codename }: Place, table: string, column: string): unknown[] {
  const db = openToRead(`${server.dataDir}/opbench.sqlite`);
  const sql = `SELECT ${column} FROM ${table} JOIN operators o ON o.id = operator_id WHERE codename = ?`;
  const held = db.prepare(sql).pluck().all(codename);
  db.close();
  return held;
}

/** How many snapshots and buckets the board has accepted. */
function taken(place: Place): { snapshots: number; buckets: number } {
  const count = (table: string) => heldOf(place, table, 'operator_id').length;
  return { snapshots: count('submissions'), buckets: count('buckets') };
}

function isSnapshot({ path }: { path: string }): boolean {
  return path === '/api/v1/snapshots';
}

/** The snapshots that were sent after the first ones, each as often as it was sent. */
function sentSince(before = 0): string[] {
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

/** Stops the program like Ctrl+C, and expects a message. */
async function interrupt({ child, finished }: Started): Promise<void> {
  child.kill('SIGINT');
  expect(await finished).toMatchObject({
    status: 130,
    stderr: expect.stringContaining('Nothing is lost or sent twice'),
  });
}

/** With a working network, the next run sends the counts of one day, and leaves nothing behind. */
async function goesOn(place: Place): Promise<void> {
  between.decide(() => 'pass');
  const ended = await place.device.run('submit');
  expect(ended).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('1 daily count accepted'),
  });
  expect(existsSync(kept(place.device, 'lock'))).toBe(false);
}

test('a network that fails after the board accepted a snapshot, and two concurrent runs', async () => {
  const place = await aPlace('ada');
  let snapshots = 0;
  between.decide((asked) => {
    return isSnapshot(asked) && (snapshots += 1) === 1 ? 'lose_answer' : 'pass';
  });

  const ended = await place.device.run('submit');
  const sent = sentSince();
  place.device.logDay(daysAgo(2), COUNTS);
  const both = await Promise.all([
    place.device.runBuilt('submit'),
    place.device.runBuilt('submit'),
  ]);

  expect(ended).toMatchObject({
    status: 0,
    stderr: expect.stringMatching(/^\S+ retrying up to 4 times[^]*\n$/),
  });
  expect(ended.stdout).toContain('1 daily count accepted');
  expect(sent).toEqual([sent[0], sent[0]]);
  expect(both.map(({ status }) => status)).toEqual([0, 0]);
  expect(taken(place)).toEqual({ snapshots: 2, buckets: 2 });
});

test.runIf(HAS_SIGNALS)(
  'Ctrl+C after the envelope is saved, and while the response is outstanding',
  async () => {
    const place = await aPlace('bob');
    const first = place.device.start('submit');
    between.decide(async (asked) => {
      if (!isSnapshot(asked)) return 'pass';
      await interrupt(first);
      return 'lose_request';
    });
    await first.finished;
    expect(taken(place)).toEqual({ snapshots: 0, buckets: 0 });
    await goesOn(place);
    const [saved] = sentSince();
    expect(sentSince()).toEqual([saved, saved]);

    place.device.logDay(daysAgo(2), COUNTS);
    between.decide((asked) => (isSnapshot(asked) ? 'hold_answer' : 'pass'));
    const second = place.device.start('submit');
    await eventually(
      async () => taken(place).snapshots,
      (snapshots) => snapshots === 2,
    );
    await interrupt(second);
    await goesOn(place);

    const [again] = sentSince(2);
    expect(sentSince(2)).toEqual([again, again]);
    expect(taken(place)).toEqual({ snapshots: 2, buckets: 2 });
  },
);

test('a day with transcripts that were deleted after submit or scan, and with new work', async () => {
  const place = await aPlace('cat');
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

  expect(heldOf(place, 'buckets', 'output')).toEqual([COUNTS.output + 435]);
});

test.runIf(existsSync('/proc/self/fd'))('Ctrl+C while logs are read', async () => {
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

test.runIf(process.platform === 'linux')('a full disk', async () => {
  const place = await aPlace('dan');
  place.device.logDay(daysAgo(2), COUNTS);
  /** Submits with a limit on the size of files, in KiB. */
  const submitWithin = (kib: number) => {
    const script = `ulimit -f ${kib}; exec "$@"`;
    const command = [process.execPath, built('opbench.mjs'), 'submit'];
    const env = { HOME: place.device.home };
    return start('/bin/bash', ['-c', script, 'bash', ...command], env).finished;
  };

  const unsaved = await submitWithin(1);
  const asked = between.asked.some(isSnapshot);
  const earlier = { log_index: 1, entry_hash: 'x'.repeat(8000) };
  writeFileSync(kept(place.device, 'receipts.ndjson'), `${JSON.stringify(earlier)}\n`);
  const unkept = await submitWithin(6);
  const again = await place.device.run('submit');

  expect(unsaved.status).toBe(1);
  expect(unsaved.stderr).toMatch(/outbox.*\scannot be written: EFBIG/);
  expect(asked).toBe(false);
  expect(unkept.status).toBe(1);
  expect(unkept.stderr).toContain('has accepted 2 daily counts, but');
  expect(unkept.stderr).toContain('counts twice');
  expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('2 daily counts') });
  expect(taken(place)).toEqual({ snapshots: 1, buckets: 2 });
});
