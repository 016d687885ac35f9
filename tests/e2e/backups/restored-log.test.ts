/** What devices and readers meet after a board was restored from an older backup. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Submissions } from '#core/contract/submissions.ts';
import { decodeBundle } from '#core/domain/tlog/bundle.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import type { MirrorReport } from '#server/mirror/report.ts';
import { anInstallation, daysAgo, enroll } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';
import { dropDatabase } from '#tests/support/tlog/published-board.ts';

const COUNTS = { input: 10_000, output: 20_000, cache_write: 5_000, cache_read: 300_000 };

const sizeOf = (note: string) => parseCheckpoint(parseNote(note).text).size;

const read = async ({ url }: RunningServer, path: string) => (await fetch(url + path)).text();

async function submissionsOf(server: RunningServer): Promise<number> {
  return (JSON.parse(await read(server, '/api/v1/submissions')) as Submissions).total;
}

/** A board with a device that submitted before and after a backup, and was killed when that was published. */
async function aKilledBoard(before = async (_server: RunningServer): Promise<void> => undefined) {
  const server = await startServer();
  const { url, dataDir } = server;
  const device = anInstallation();
  device.logDay(daysAgo(3), COUNTS);
  await enroll(device, url, await server.signIn('ada'));
  expect(await device.run('submit')).toMatchObject({ status: 0 });
  const file = join(aDataDir(), 'backup.sqlite');
  const env = { DATA_DIR: dataDir, BASE_URL: url };
  const backup = await runAdmin(['backup', file, '--json'], env);
  const backedUp = (JSON.parse(backup.stdout) as { log_index: number }).log_index;
  device.logDay(daysAgo(2), COUNTS);
  expect(await device.run('submit')).toMatchObject({ status: 0 });
  const note = await eventually(
    () => read(server, '/log/checkpoint'),
    (text) => sizeOf(text) > backedUp,
  );
  await before(server);
  await server.stop('SIGKILL');
  // Devices know the board by its address.
  const restart = () => startServer({ dataDir, env: { PORT: new URL(url).port } });
  return { device, file, env, backedUp, note, restart, url };
}

test('a device sends the lost days again, and its receipts and the log stay valid', async () => {
  const { device, file, env, backedUp, note, restart, url } = await aKilledBoard();

  const restored = await runAdmin(['restore', file, '--force', '--json'], env);
  const server = await restart();
  const before = await submissionsOf(server);
  const again = await device.run('submit');

  expect(JSON.parse(restored.stdout)).toMatchObject({
    lost: [backedUp + 1, expect.any(Number)],
    new_log: null,
  });
  expect(before).toBe(1);
  expect(again).toMatchObject({ status: 0, stderr: expect.stringContaining('sent again') });
  expect(await submissionsOf(server)).toBeGreaterThan(before);
  await eventually(
    () => read(server, '/log/checkpoint'),
    (text) => sizeOf(text) > sizeOf(note),
  );
  const verified = await eventually(
    () => device.run('verify', url, '--json'),
    ({ status }) => status !== 4,
  );
  expect(JSON.parse(verified.stdout)).toMatchObject({ sound: true, entries: { withheld: 0 } });
  const report = JSON.parse(verified.stdout) as { own_receipts: number; entries: { lost: number } };
  expect(report.entries.lost).toBeGreaterThan(0);
  // Two from before the restore, of which one is for a lost entry.
  expect(report.own_receipts).toBeGreaterThanOrEqual(3);
  expect(await runAdmin(['verify'], env)).toMatchObject({ status: 0 });
});

test('a new log has an address of its own, and the old one keeps what the board still has', async () => {
  const { file, env, backedUp, note, restart } = await aKilledBoard();
  dropDatabase(env.DATA_DIR);
  const refused = await runAdmin(['restore', file], env);
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('--new-log')]);

  expect(await runAdmin(['restore', file, '--new-log'], env)).toMatchObject({ status: 0 });
  const server = await restart();

  expect(await read(server, '/log/checkpoint')).toBe(note);
  const begun = await read(server, '/log/2/checkpoint');
  expect(parseCheckpoint(parseNote(begun).text).origin).toBe(`${new URL(server.url).host}/log/2`);
  const bundle = async (log: string, width: number) => {
    const response = await fetch(`${server.url}${log}/tile/entries/000.p/${width}`);
    return response.ok ? decodeBundle(new Uint8Array(await response.arrayBuffer())).length : null;
  };
  expect(await bundle('/log', backedUp)).toBe(backedUp);
  expect(await bundle('/log', backedUp + 1)).toBeNull();
  expect(await bundle('/log/2', backedUp + 1)).toBe(backedUp + 1);
  expect((await read(server, '/log/payload/000')).split('\n').length - 1).toBe(backedUp);
  expect((await fetch(`${server.url}/log/2/payload/000`)).status).toBe(200);
  for (const path of ['/log/1/checkpoint', '/log/3/checkpoint', '/log/3/tile/0/000.p/1']) {
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 404]);
  }
});

/** What goes wrong when a board is mirrored into a folder, and the log that it has. */
async function mirrorOf(url: string, folder: string) {
  const { stdout } = await runAdmin(['mirror', url, folder, '--once', '--json'], {});
  const { checks, origin } = JSON.parse(stdout) as MirrorReport;
  const wrong = checks.filter(({ ok }) => ok === false);
  return { origin, wrong: wrong.map(({ name, findings }) => [name, findings[0]?.message]) };
}

const isSound = ({ wrong }: Awaited<ReturnType<typeof mirrorOf>>) => wrong.length === 0;

test('a mirror of the old log says that a new one began, which can be mirrored and verified too', async () => {
  const folder = aDataDir();
  const { file, env, restart, url } = await aKilledBoard(async (server) => {
    await eventually(() => mirrorOf(server.url, folder), isSound);
  });
  dropDatabase(env.DATA_DIR);
  await runAdmin(['restore', file, '--new-log'], env);
  const server = await restart();
  await server.signIn('eve');

  const origin = `${new URL(url).host}/log/2`;
  const second = await eventually(() => mirrorOf(url, aDataDir()), isSound);
  expect(second.origin).toBe(origin);
  const message = `is of another log, ${origin}, which the board began after a restore. Mirror it in another folder`;
  expect((await mirrorOf(url, folder)).wrong).toEqual([['standings', message]]);

  const stranger = anInstallation();
  const downloaded = async () => {
    const { status, stdout } = await stranger.run('verify', url, '--json');
    return [status, (JSON.parse(stdout) as { downloaded: string }).downloaded];
  };
  await eventually(downloaded, (found) => found.join() === '0,all');
  await server.signIn('mallory');
  await server.stop();
  await restart();
  await eventually(downloaded, (found) => found.join() === '0,new');
});
