import { randomInt } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { BASE_URL, bucketsOfDays } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';
import { openToRead, unpack } from '#tests/support/board/stored-forms.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';

const SUBMISSIONS = 500;
const KILLS = 3;

/** A board whose log is in the form of earlier versions. */
async function anEarlierBoard() {
  const ctx = testContext();
  const devices = await Promise.all(
    ['ada', 'bea', 'cyd'].map((name) => anEnrolledDevice(ctx, name)),
  );
  for (let at = 0; at < SUBMISSIONS; at += 1) {
    const device = devices[at % devices.length] as (typeof devices)[number];
    await submit(ctx, device, bucketsOfDays(1 + (at % 4), '2026-02-01'));
  }
  const path = databasePath(ctx.config);
  const db = new Database(path);
  unpack(db);
  db.close();
  return { dataDir: ctx.config.dataDir, path };
}

/** The first entries and all submissions. The server adds entries when it puts submissions on hold. */
function rowsOf(path: string, entries: number) {
  const db = openToRead(path);
  try {
    // One state, although the server writes.
    return db.transaction(() => [
      db.prepare('SELECT * FROM log_entries ORDER BY log_index LIMIT ?').all(entries),
      db.prepare(`SELECT *, '' AS state FROM submissions ORDER BY log_index`).all(),
    ])();
  } finally {
    db.close();
  }
}

function leftOf(path: string): number {
  const db = new Database(path, { readonly: true });
  const left = db.prepare('SELECT count(*) FROM log_entries').pluck().get() as number;
  db.close();
  return left;
}

test('kill -9 at any point of a move loses and changes nothing, and the next server continues', async () => {
  const { dataDir, path } = await anEarlierBoard();
  const all = leftOf(path);
  const before = rowsOf(path, all);
  expect(all).toBeGreaterThan(SUBMISSIONS);
  // One in each third of the move.
  const part = Math.floor(all / KILLS);
  const goals = Array.from({ length: KILLS }, (_, at) => all - at * part - randomInt(1, part));
  const lefts: number[] = [];

  for (const goal of goals) {
    const server = await startServer({ dataDir, env: { BASE_URL } });
    await eventually(
      async () => leftOf(path),
      (left) => left <= goal,
    );
    await server.stop('SIGKILL');
    lefts.push(leftOf(path));
    expect(rowsOf(path, all)).toEqual(before);
  }
  const server = await startServer({ dataDir, env: { BASE_URL } });
  await eventually(
    async () => leftOf(path),
    (left) => left === 0,
  );
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  await eventually(
    async () => server.log(),
    (log) => log.includes('"move_ended"'),
  );
  await server.stop();

  expect(lefts.some((left) => left > 0 && left < all)).toBe(true);
  expect(rowsOf(path, all)).toEqual(before);
  const { status, stdout } = await runAdmin(['verify', '--json'], { DATA_DIR: dataDir, BASE_URL });
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { findings: [], whole: true }]);
});
