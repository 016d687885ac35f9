/** A board without a server, and the results of `doctor`. */
import Database from 'better-sqlite3';
import { onTestFinished, vi } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import type { DoctorCheck } from '#server/admin/doctor/check.ts';
import { BASE_URL, NOW_MS, aBucket } from './builders.ts';
import { anEnrolledDevice, submit, testContext } from './context.ts';
import { change as changeRows } from './stored-forms.ts';
import { runAdmin } from './admin.ts';

type Settings = Readonly<Record<string, string>>;

/** Runs doctor. `told` has every check that is not `ok`, as `severity about: text`. */
export async function examine(settings: Settings, ...words: string[]) {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const { status, stdout, stderr } = await runAdmin(['doctor', '--json', ...words], settings);
  const { checks, log_head } = JSON.parse(stdout) as { checks: DoctorCheck[]; log_head: unknown };
  const found = checks.filter(({ severity }) => severity !== 'ok');
  const told = found.map(({ severity, about, text }) => `${severity} ${about}: ${text}`);
  return { status, told, checks, log_head, printed: stdout + stderr };
}

/** A board with a log and without a server. */
export async function aBoard() {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), [aBucket()]);
  const path = databasePath(ctx.config);
  const change = (sql: string) => {
    const db = new Database(path);
    changeRows(db, sql);
    db.close();
  };
  return { ctx, path, change, settings: { DATA_DIR: ctx.config.dataDir, BASE_URL } };
}

export const NOT_RUNNING = 'warning server: the board is not running';
const NO_BACKUP = 'warning backup: opbench-board has not made a backup yet';
/** The result for a board without problems and without a server. */
export const AFTER = { status: 0, told: [NOT_RUNNING, NO_BACKUP] };
