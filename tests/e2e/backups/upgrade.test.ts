import { readFileSync, readdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import type { Envelope } from '#core/schema/snapshot.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { postSnapshot } from '#tests/support/http/wire.ts';
import { HAS_SIGNALS } from '#tests/support/http/process.ts';

/** The data of version 0.1.0 after three operators had submitted over 33 days and used its own command. */
const FIRST_RELEASE = fileURLToPath(new URL('../../fixtures/first-release.sql', import.meta.url));
/** The address for which its devices signed. */
const BASE_URL = 'http://127.0.0.1:4391';

/** A data folder as the first release left it, and its response to each snapshot. */
function aFolderOfTheFirstRelease() {
  const dataDir = aDataDir();
  const db = new Database(databasePath({ dataDir }));
  db.exec(readFileSync(FIRST_RELEASE, 'utf8'));
  const answered = db
    .prepare(
      `SELECT CAST(payload AS TEXT) AS envelope, answer FROM log_entries JOIN submissions USING (log_index)`,
    )
    .all() as { envelope: string; answer: string }[];
  db.close();
  return { dataDir, answered };
}

/** A page's response under the board's own address, on which this server does not listen. */
function statusOf(url: string): Promise<number | undefined> {
  const headers = { Host: new URL(BASE_URL).host };
  return new Promise((resolve, reject) => {
    get(url, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).once('error', reject);
  });
}

interface Board {
  entries: { codename: string; rank: number | null }[];
}

test('a board of the first release is upgraded, and can go back with the backup made before', async () => {
  const { dataDir, answered } = aFolderOfTheFirstRelease();
  const env = { DATA_DIR: dataDir, BASE_URL };
  const run = (...words: string[]) => runAdmin(words, env);

  const early = await run('held');
  expect(early).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Start the board once'),
  });

  const server = await startServer({ dataDir, env: { BASE_URL } });
  // The invented counts are rounder than real ones.
  const { stdout } = await eventually(
    () => run('held', '--json'),
    // Each of the four submissions.
    (held) => held.stdout.split('"id"').length === 5,
  );
  for (const { id } of (JSON.parse(stdout) as { entries: { id: string }[] }).entries) {
    expect(await run('release', id, '--reason', 'Test data')).toMatchObject({ status: 0 });
  }
  const ask = async () => {
    const path = '/api/v1/leaderboard?window=all_time';
    return (await (await fetch(server.url + path)).json()) as Board;
  };
  const { entries } = await eventually(ask, (board) => board.entries?.length === 3);
  expect(entries.map(({ codename }) => codename).sort()).toEqual(['ada', 'bea', 'cyd']);
  expect(entries.map(({ rank }) => rank).sort()).toEqual([1, 2, 3]);
  for (const path of ['/', '/operators/ada', '/methodology', '/privacy']) {
    expect(await statusOf(server.url + path)).toBe(200);
  }
  for (const { envelope, answer } of answered) {
    const again = await postSnapshot(server, JSON.parse(envelope) as Envelope);
    expect([again.status, again.body]).toEqual([200, JSON.parse(answer)]);
  }
  expect(answered).toHaveLength(4);
  await server.stop();
  const whole = await run('verify', '--json');
  expect([whole.status, whole.stderr]).toEqual([0, '']);

  const [name = ''] = readdirSync(join(dataDir, 'backups'));
  expect(name).toMatch(/^before-0002-daily-standings-\d{8}T\d+Z\.sqlite$/);
  const before = join(dataDir, 'backups', name);
  const restored = await run('restore', before, '--force', '--json');
  expect(restored.status).toBe(0);
  expect(JSON.parse(restored.stdout)).toMatchObject({ log_index: 13, operators: 3, erased: 0 });
  // The published log goes on, although the backup is older than its key.
  const { lost } = JSON.parse(restored.stdout) as { lost: [number, number] };
  expect(lost[0]).toBe(14);
  expect(await run('verify')).toMatchObject({ status: 0 });
  const back = await startServer({ dataDir, env: { BASE_URL } });
  expect((await fetch(`${back.url}/api/v1/leaderboard`)).status).toBe(200);
  expect(back.log()).not.toContain('checkpoint_refused');
  const ended = await back.stop();
  if (HAS_SIGNALS) expect(ended).toBe(0);
});
