/** Backups that the built server makes itself. */
import { readdirSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import { verifyBackup } from '#server/backups/backup-file.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { HAS_SIGNALS } from '#tests/support/http/process.ts';
import { type RunningServer, eventually, startServer } from '#tests/support/http/server.ts';

const COMPLETE = /^opbench-\d{4}-\d\d-\d\dT\d{6}Z\.sqlite$/;
/** Enough for the backup to take longer than it takes a test to notice it. */
const BALLAST_BYTES = 96 * 1024 * 1024;

const filesIn = (folder: string) => Promise.resolve(readdirSync(folder));
const isOneComplete = (names: string[]) => names.length === 1 && COMPLETE.test(names[0] ?? '');

interface Readiness {
  status: string;
  checks: { backup: string };
  backup_age_s: number | null;
}

test('a board backs itself up once a day, also across restarts', async () => {
  const dataDir = aDataDir();
  const folder = join(aDataDir(), 'backups');
  const env = { BACKUP_DIR: folder };
  const server = await startServer({ dataDir, env });
  await server.signIn('ada');

  const [name = ''] = await eventually(() => filesIn(folder), isOneComplete);

  expect(name).toMatch(COMPLETE);
  verifyBackup(join(folder, name));
  const readiness = async () => {
    return (await (await fetch(`${server.url}/readyz`)).json()) as Readiness;
  };
  const ready = await eventually(readiness, ({ backup_age_s }) => backup_age_s !== null);
  expect(ready).toMatchObject({ status: 'ready', checks: { backup: 'ok' } });
  const { stdout } = await runAdmin(['doctor', '--offline'], { DATA_DIR: dataDir });
  expect(stdout).toContain(`ok       backup: the newest in BACKUP_DIR ${folder} is`);
  expect(stdout).toContain('ok       backup: the last one is');
  await server.stop();

  const again = await startServer({ dataDir, env });
  expect(again.log()).not.toContain('backup_made');
  expect(await filesIn(folder)).toEqual([name]);
});

test.skipIf(!HAS_SIGNALS).each(['SIGKILL', 'SIGTERM'] as const)(
  'a backup that %s interrupts leaves nothing that looks complete, and the next start makes it',
  async (signal) => {
    const dataDir = aDataDir();
    const folder = aDataDir();
    await (await startServer({ dataDir })).stop();
    addBallast(dataDir);
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(folder, () => resolve());
      onTestFinished(() => watcher.close());
    });
    const env = { BACKUP_DIR: folder };
    const server = await startServer({ dataDir, env });
    await begun;
    await server.stop(signal);

    const left = await filesIn(folder);
    expect(left.filter((name) => COMPLETE.test(name))).toEqual([]);
    if (signal === 'SIGTERM') expect(left).toEqual([]);

    await startServer({ dataDir, env });
    const [name = ''] = await eventually(() => filesIn(folder), isOneComplete);
    expect(await filesIn(folder)).toEqual([expect.stringMatching(COMPLETE)]);
    verifyBackup(join(folder, name));
  },
);

/** An admin who opens the page about the health of a board, and presses its button. */
async function anAdmin(server: RunningServer) {
  const headers = { Cookie: await server.signIn('ada'), Origin: server.url };
  await runAdmin(['admin', 'add', 'ada'], { DATA_DIR: server.dataDir });
  const address = `${server.url}/admin/health`;
  const look = async () => (await fetch(address, { headers })).text();
  const press = async () => {
    const body = new URLSearchParams({ action: 'backup' });
    const response = await fetch(address, { method: 'POST', redirect: 'manual', headers, body });
    const to = response.headers.get('Location')?.replace('/admin/health', '');
    return { status: response.status, to, html: await response.text() };
  };
  const log = async () => {
    const since = utcDay(Date.now() - DAY_MS);
    const words = ['audit', '--since', since, '--json'];
    const { stdout } = await runAdmin(words, { DATA_DIR: server.dataDir });
    const { entries } = JSON.parse(stdout) as { entries: Record<'action' | 'via', string>[] };
    const made = entries.filter(({ action }) => action.startsWith('backup'));
    return made.map(({ action, via }) => `${action} ${via}`);
  };
  return { look, press, log };
}

test('an admin starts a backup on the page, once at a time, and sees its result', async () => {
  const dataDir = aDataDir();
  const folder = aDataDir();
  await (await startServer({ dataDir })).stop();
  addBallast(dataDir);
  const server = await startServer({ dataDir, env: { BACKUP_DIR: folder } });
  const { look, press, log } = await anAdmin(server);
  await eventually(look, (html) => html.includes('The last backup was complete'));
  expect(await log()).toEqual(['backup board']);

  // Within one second, a second backup has the name of the first, and is not made.
  const second = (ms: number) => Math.floor(ms / 1000);
  const startedAt = second(Date.now());
  await eventually(
    () => Promise.resolve(Date.now()),
    (ms) => second(ms) > startedAt,
  );

  const first = await press();
  const [again, running] = await Promise.all([press(), look()]);

  expect([first.status, first.to, again.to]).toEqual([303, '?done=started', '?done=running']);
  expect(running).toContain('A backup is running');
  expect(running).not.toContain('Back up now');
  await eventually(look, (html) => html.includes('Back up now'));
  expect(await log()).toEqual(['backup page', 'backup_start page', 'backup board']);
  const names = await filesIn(folder);
  expect(names.filter((name) => COMPLETE.test(name))).toHaveLength(2);
  names.forEach((name) => void verifyBackup(join(folder, name)));

  rmSync(folder, { recursive: true });
  await press();
  const failed = await eventually(look, (html) => html.includes('The last backup failed'));
  expect(failed).toContain(`Cannot write ${folder}`);
  expect(server.log()).toContain('"event":"backup_failed"');
});

test('a board without a folder for backups says what to set', async () => {
  const { look, press, log } = await anAdmin(await startServer());

  const html = await look();
  expect(html).toContain('>BACKUP_DIR</code> to a folder on the server');
  expect(html).not.toContain('Back up now');
  const refused = await press();
  expect(refused.status).toBe(409);
  expect(refused.html).toContain('Set BACKUP_DIR on the server, then restart the board');
  expect(await log()).toEqual([]);
});

function addBallast(dataDir: string): void {
  const db = new Database(join(dataDir, 'opbench.sqlite'));
  db.prepare(
    `INSERT INTO audit_log (action, subject, reason, created_at)
     VALUES ('test', 'ballast', hex(randomblob(?)), '2026-03-01T00:00:00.000Z')`,
  ).run(BALLAST_BYTES / 2);
  db.close();
}
