/** A board that published its log, and what a restore of an earlier backup makes of it. */
import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { type Store, openStore } from '#db/store.ts';
import { writeBackup } from '#server/backups/backup-file.ts';
import { checkpointPath, databasePath } from '#server/config/config.ts';
import { openBoardKey } from '#server/identity/board-key.ts';
import { openLogKey } from '#server/identity/log-key.ts';
import type { SignedCheckpoint } from '#server/public-log/checkpoint-file.ts';
import { Checkpoints, checkpointFault } from '#server/public-log/checkpoints.ts';
import { runAdmin } from '../board/admin.ts';
import { NOW, bucketsOfDays } from '../board/builders.ts';
import { whenOver } from '../board/cleanup.ts';
import {
  MIGRATIONS,
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '../board/context.ts';
import { checkpointsOf } from './board-checkpoints.ts';

export const PUBLIC_URL = 'https://board.example';
export const BACKED_UP = 300;
export const PUBLISHED = 600;

export interface Published {
  ctx: TestContext;
  /** A backup from when the log had fewer entries. */
  file: string;
  /** The largest checkpoint. */
  largest: SignedCheckpoint;
  /** A data folder without the board, as after the loss of its database. */
  folder: () => string;
  restore: (dataDir: string, ...words: string[]) => ReturnType<typeof runAdmin>;
}

/** A board that published a log of `PUBLISHED` entries, and a backup from when it had `BACKED_UP`. */
export async function aPublishedBoard(baseUrl = PUBLIC_URL): Promise<Published> {
  const ctx = testContext({ baseUrl });
  const device = await anEnrolledDevice(ctx, 'ada');
  await submit(ctx, device, bucketsOfDays(4, '2026-03-01'));
  const checkpoints = checkpointsOf(ctx);
  checkpoints.advance();
  growTo(ctx, BACKED_UP);
  const file = join(aDataDir(), 'backup.sqlite');
  writeBackup(databasePath(ctx.config), file);
  await submit(ctx, device, bucketsOfDays(2, '2026-03-06'));
  growTo(ctx, PUBLISHED);
  publishAndKeep(ctx);
  checkpoints.advance();
  return {
    ctx,
    file,
    largest: checkpoints.shown ?? expect.fail(),
    folder: () => {
      const dataDir = aDataDir();
      copyFileSync(checkpointPath(ctx.config), checkpointPath({ dataDir }));
      return dataDir;
    },
    restore: (dataDir, ...words) =>
      runAdmin(['restore', file, '--json', ...words], { DATA_DIR: dataDir, BASE_URL: baseUrl }),
  };
}

/** Adds entries that belong to nobody. */
export function growTo({ store, now, ruleset }: TestContext, size: number): void {
  const entry = { kind: 'ruleset', operator_id: null, payload: ruleset, now: now() } as const;
  while (store.tiles.size() < size) store.transaction(() => store.log.append(entry));
}

/** The board as its server finds it. */
export function opened(
  dataDir: string,
  baseUrl = PUBLIC_URL,
): { store: Store; checkpoints: Checkpoints } {
  const now = () => new Date(NOW);
  const store = openStore({ path: databasePath({ dataDir }), migrations: MIGRATIONS, now });
  whenOver(() => store.close());
  const boardKey = openBoardKey(store, now());
  const key = openLogKey(store, { baseUrl, boardKey, now: now() });
  const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const checkpoints = new Checkpoints({ store, key, config: { dataDir }, logger });
  checkpoints.advance();
  return { store, checkpoints };
}

/** Expects the log to go on after everything that was published. */
export function expectOneLog({ largest }: Published, dataDir: string): void {
  const { store, checkpoints } = opened(dataDir);
  expect(checkpointFault(store.tiles, largest)).toBeNull();
  expect(checkpoints.fault).toBeNull();
  expect(checkpoints.shown?.size).toBeGreaterThan(PUBLISHED);
  expect(checkpoints.shown?.origin).toBe('board.example/log');
}

export function edit(dataDir: string, sql: string): void {
  const db = new Database(databasePath({ dataDir }));
  db.exec(sql);
  db.close();
}

export const jsonOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as Record<string, unknown>;

/** The names and bytes of all files in a folder. */
export function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((each) => each.isFile() && each.name !== 'server.lock')
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, readFileSync(path, 'hex')]),
  );
}

/** Loses the database of a stopped board. */
export function dropDatabase(dataDir: string): void {
  for (const suffix of ['', '-wal', '-shm']) {
    rmSync(databasePath({ dataDir }) + suffix, { force: true });
  }
}
