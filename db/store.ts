import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { accountEventsIn } from './account-events.ts';
import { apiKeysIn } from './api-keys.ts';
import { boardKeysIn } from './board-keys.ts';
import { bucketsIn } from './buckets.ts';
import { dailyStandingsIn } from './daily-standings.ts';
import { devicesIn } from './devices.ts';
import { enrollmentCodesIn } from './enrollment-codes.ts';
import { groupCommit } from './group-commit.ts';
import { logIn } from './log.ts';
import { loginLinksIn } from './login-links.ts';
import { migrate } from './migrate.ts';
import { operatorsIn } from './operators.ts';
import { publicationsIn } from './publications.ts';
import { recordsIn } from './records.ts';
import { secretsIn } from './secrets.ts';
import { sessionsIn } from './sessions.ts';
import { submissionsIn } from './submissions.ts';

export interface StoreOptions {
  /** The database file, or `:memory:`. */
  path: string;
  /** The folder of the `.sql` files. */
  migrations: string;
  now: () => Date;
  /** How long a statement waits for another process's transaction, in milliseconds. */
  busyTimeoutMs?: number;
}

export type Store = ReturnType<typeof openStore>;

/** Opens the board's database, creating and migrating it as needed. */
export function openStore({ path, migrations, now, busyTimeoutMs = 5_000 }: StoreOptions) {
  const db = openDatabase(path, busyTimeoutMs);
  migrate(db, migrations, now);
  return {
    operators: operatorsIn(db),
    accountEvents: accountEventsIn(db),
    devices: devicesIn(db),
    enrollmentCodes: enrollmentCodesIn(db),
    secrets: secretsIn(db),
    sessions: sessionsIn(db),
    loginLinks: loginLinksIn(db),
    boardKeys: boardKeysIn(db),
    apiKeys: apiKeysIn(db),
    log: logIn(db),
    submissions: submissionsIn(db),
    buckets: bucketsIn(db),
    records: recordsIn(db),
    publications: publicationsIn(db),
    dailyStandings: dailyStandingsIn(db),
    /** Runs `work` in one write transaction: all of it is durable when this returns, or none. */
    transaction<Result>(work: () => Result): Result {
      return db.transaction(work).immediate();
    },
    /** Runs `work` in a write transaction that may be shared; durable when the promise is kept. */
    commit: groupCommit(db),
    /** Runs `work` on one unchanging state of the database. */
    snapshot<Result>(work: () => Result): Result {
      return db.transaction(work).deferred();
    },
    close() {
      db.close();
    },
  };
}

/** An acknowledged write must survive a power cut, hence `synchronous = FULL` with the WAL. */
function openDatabase(path: string, timeout: number): Database.Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const db = new Database(path, { timeout });
  if (path !== ':memory:') chmodSync(path, 0o600);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('secure_delete = ON');
  db.pragma('trusted_schema = OFF');
  return db;
}
