/** A second machine becomes the writer from a copy of the database and the log in the object store. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeBackup } from '#server/backups/backup-file.ts';
import { promote } from '#server/backups/promoting.ts';
import { checkpointPath, databasePath } from '#server/config/config.ts';
import { writeIndex } from '#server/facts/facts-index.ts';
import { jsonBytes } from '#server/object-store/json-object.ts';
import type { ObjectStore } from '#server/object-store/object-store.ts';
import { claimPath, confirmClaim, ownClaim, readClaim } from '#server/object-store/writer-claim.ts';
import { readLargest } from '#server/public-log/checkpoint-file.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { NOW, bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import {
  ROOT,
  aDataDir,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { idOf } from '#tests/support/board/restoring.ts';
import { putLog } from '#tests/support/store/published-log.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';
import { aWholeLogCopy } from '#tests/support/tlog/log-copy.ts';
import {
  BACKED_UP,
  PUBLIC_URL,
  PUBLISHED,
  type Published,
  aPublishedBoard,
  expectOneLog,
  filesIn,
  growTo,
  jsonOf,
  opened,
} from '#tests/support/tlog/published-board.ts';

let board: Published;
let s3: S3;

beforeEach(async () => {
  board = await aPublishedBoard();
  s3 = await aStoreWithLog({ conditional: true });
  const { dataDir } = board.ctx.config;
  await confirmClaim(s3.store, { dataDir, logSize: PUBLISHED, now: board.ctx.now() });
});

async function aStoreWithLog(options: { conditional: boolean }): Promise<S3> {
  const started = await startS3(options);
  whenOver(() => void started.stop());
  await putLog(started.store, aWholeLogCopy(board.ctx));
  return started;
}

const CURRENT = {
  ...{ format: 1, version: '0.17.0', writer: '', access: 'open', publication: 1 },
  ...{ publication_format: 1, kept: [], chain: [], least: 0, written_at: NOW, log_generation: 1 },
};

const env = (dataDir: string) => ({ ...s3.env, DATA_DIR: dataDir, BASE_URL: PUBLIC_URL });
const promoted = (dataDir: string, file = board.file) =>
  runAdmin(['promote', file, '--json'], env(dataDir));

/** Promotes without waiting for an old writer, unless told what happens meanwhile. */
function promoteAtOnce(dataDir: string, { file = board.file, onClaim = () => undefined } = {}) {
  const config = { dataDir, root: ROOT };
  const waiting = { onClaim, stopsMs: 0, complete: false };
  return promote({ config, store: s3.store, file, now: board.ctx.now(), ...waiting });
}

const isRefused = (message: string) =>
  expect.objectContaining({ name: 'BackupError', message: expect.stringContaining(message) });

test('a promotion gives the whole log, and the claim of the writer', async () => {
  const dataDir = aDataDir();
  const old = ownClaim(board.ctx.config.dataDir);

  const result = await promoted(dataDir);

  expect([result.status, result.stderr]).toEqual([0, expect.stringContaining('serve')]);
  expect(jsonOf(result)).toMatchObject({
    ...{ copy: board.file, log_index: BACKED_UP, published: PUBLISHED, submissions: 1 },
    ...{ lost: [BACKED_UP + 2, PUBLISHED], lost_entries: PUBLISHED - BACKED_UP - 1 },
  });
  expectOneLog(board, dataDir);
  const claim = await readClaim(s3.store);
  expect(claim).toMatchObject({ value: ownClaim(dataDir) });
  expect(ownClaim(dataDir)?.writer).not.toBe(old?.writer);
  const again = await promoted(dataDir);
  expect([again.status, jsonOf(again)['copy']]).toEqual([0, null]);
});

test('a folder stands for the copy in it with the longest log, which can be longer than the published one', async () => {
  const folder = aDataDir();
  copyFileSync(board.file, join(folder, 'a.sqlite'));
  growTo(board.ctx, PUBLISHED + 20);
  writeBackup(databasePath(board.ctx.config), join(folder, 'b.sqlite'));
  writeFileSync(join(folder, 'c.sqlite'), 'not a database');
  const dataDir = aDataDir();

  const result = await promoted(dataDir, folder);

  expect(jsonOf(result)).toMatchObject({
    ...{ copy: join(folder, 'b.sqlite'), log_index: PUBLISHED + 20, published: PUBLISHED },
    lost: null,
  });
  expectOneLog(board, dataDir);
});

describe('nothing happens, and the old writer keeps its claim,', () => {
  const expectUntouched = async (dataDir: string) => {
    const { dataDir: old } = board.ctx.config;
    expect(await readClaim(s3.store)).toMatchObject({ value: ownClaim(old) });
    expect(existsSync(databasePath({ dataDir }))).toBe(false);
    expect(existsSync(claimPath(dataDir))).toBe(false);
  };

  test('if the data folder is not empty', async () => {
    const dataDir = aDataDir();
    writeFileSync(join(dataDir, 'notes.txt'), '');
    const before = filesIn(dataDir);

    const result = await promoted(dataDir);

    expect([result.status, result.stderr]).toEqual([3, expect.stringContaining('notes.txt')]);
    expect(filesIn(dataDir)).toEqual(before);
    await expectUntouched(dataDir);
  });

  test('if the log in the store is that of another board', async () => {
    const other = testContext({ baseUrl: PUBLIC_URL });
    growTo(other, 10);
    const file = join(aDataDir(), 'other.sqlite');
    writeBackup(databasePath(other.config), file);
    const dataDir = aDataDir();

    const result = await promoted(dataDir, file);

    expect([result.status, result.stderr]).toEqual([
      3,
      expect.stringContaining('it is from another log'),
    ]);
    await expectUntouched(dataDir);
  });

  test('if the store has no log, or no object store is set', async () => {
    const dataDir = aDataDir();
    await s3.store.delete(['log/checkpoint']);
    expect(await promoted(dataDir)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('no file checkpoint') as string,
    });
    await expectUntouched(dataDir);
    const settings = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };
    expect(await runAdmin(['promote', board.file], settings)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('OBJECT_STORE_URL') as string,
    });
  });

  test('if a board for members has no log in the store, unless the copy is complete', async () => {
    await s3.store.delete(await s3.keys('log/'));
    const dataDir = aDataDir();
    const file = join(aDataDir(), 'last.sqlite');
    growTo(board.ctx, PUBLISHED + 5);
    writeBackup(databasePath(board.ctx.config), file);
    expect(await promoted(dataDir, file)).toMatchObject({ status: 3 });
    await expectUntouched(dataDir);
    const complete = ['promote', file, '--complete', '--json'];
    expect(jsonOf(await runAdmin(complete, env(dataDir)))).toMatchObject({
      ...{ log_index: PUBLISHED + 5, published: 0, lost: null },
    });
    expectOneLog(board, dataDir);
  });

  test('if a file of the log is missing', async () => {
    const [bundle = ''] = (await s3.keys('log/tile/entries')).slice(-1);
    await s3.store.delete([bundle]);
    const dataDir = aDataDir();
    expect((await promoted(dataDir)).stderr).toContain('so it is incomplete');
    await expectUntouched(dataDir);
  });
});

test('the log is read again if the old writer published until it saw the claim', async () => {
  const dataDir = aDataDir();
  const grown = PUBLISHED + 30;
  growTo(board.ctx, grown);
  const later = aWholeLogCopy(board.ctx);
  const reads = { checkpoints: 0 };
  const get: ObjectStore['get'] = async (key) => {
    if (key === 'log/checkpoint') reads.checkpoints += 1;
    // The second time, the claim is taken over.
    if (key === 'log/checkpoint' && reads.checkpoints === 2) await putLog(s3.store, later);
    return s3.store.get(key);
  };
  const { store: own } = s3;
  const put: ObjectStore['put'] = (...asked) => own.put(...asked);
  const store = { get, put, delete: async () => undefined, list: async () => [] };
  const config = { dataDir, root: ROOT };
  const now = board.ctx.now();

  const { published } = await promote({
    ...{ config, store, file: board.file, now },
    ...{ onClaim: () => undefined, stopsMs: 0, complete: false },
  });

  expect(published).toBe(grown);
  expect(readLargest(checkpointPath({ dataDir }))?.size).toBe(grown);
  expect(opened(dataDir).checkpoints.fault).toBeNull();
});

test('accounts that readers do not show any more become private, unless the copy is newer', async () => {
  const { ctx } = board;
  const [bob, cyd] = [await anEnrolledDevice(ctx, 'bob'), await anEnrolledDevice(ctx, 'cyd')];
  await submit(ctx, bob, bucketsOfDays(2, '2026-03-01'));
  await submit(ctx, cyd, bucketsOfDays(2, '2026-03-02'));
  const ids = ['ada', 'bob', 'cyd'].map((name) => idOf(ctx, name));
  const log_index = ctx.store.operators.byId(ids[1] ?? 0)?.log_index ?? 0;
  const units = new Map([[`operators/${ids[0]}`, '0']]);
  const none = { marks: new Map(), days: new Map(), files: new Set<string>() };
  const { key, bytes } = writeIndex({ log_index, change: 0, units, ...none });
  await s3.store.put(key, bytes);
  const current = { ...CURRENT, base_url: PUBLIC_URL, facts: key, log_size: PUBLISHED };
  await s3.store.put('current', jsonBytes(current));
  const file = join(aDataDir(), 'newer.sqlite');
  writeBackup(databasePath(ctx.config), file);
  const dataDir = aDataDir();

  const { replayed } = await promoteAtOnce(dataDir, { file });

  expect(replayed.hidden).toBe(1);
  const modes = ids.map((id) => opened(dataDir).store.operators.byId(id)?.privacy_mode);
  expect(modes).toEqual(['pseudonymous', 'private', 'pseudonymous']);
});

test('the old writer gets the whole time to see the claim, however long the store took to store it', async () => {
  const timesMs: [request: string, atMs: number][] = [];
  s3.decide(({ method, key }) => {
    timesMs.push([`${method} ${key}`, performance.now()]);
    return method === 'PUT' && key === 'writer' ? { delayMs: 300 } : 'pass';
  });
  const config = { dataDir: aDataDir(), root: ROOT };
  const waiting = { onClaim: () => undefined, stopsMs: 400, complete: false };
  await promote({ config, store: s3.store, file: board.file, now: board.ctx.now(), ...waiting });
  const [, claimedMs = 0] = timesMs.find(([request]) => request === 'PUT writer') ?? [];
  const [, lookedMs = 0] = timesMs.at(-1) ?? [];
  expect(lookedMs - claimedMs).toBeGreaterThanOrEqual(300 + 400);
});

test('what says who is public can be damaged, and the message says how to go on', async () => {
  const facts = 'facts/index/0123456789abcdef';
  await s3.store.put(facts, Buffer.from('damaged'));
  const current = { ...CURRENT, base_url: PUBLIC_URL, facts, log_size: PUBLISHED };
  await s3.store.put('current', jsonBytes(current));
  const dataDir = aDataDir();
  await expect(promoteAtOnce(dataDir)).rejects.toEqual(isRefused('delete the object'));
  await s3.store.delete([facts]);
  expect(await promoteAtOnce(dataDir)).toMatchObject({ published: PUBLISHED });
});

test('a promotion that was interrupted goes on with its claim', async () => {
  const dataDir = aDataDir();
  s3.decide(({ key }) => (key === 'log/checkpoint' && ownClaim(dataDir) ? 'break' : 'pass'));
  await expect(promoteAtOnce(dataDir)).rejects.toEqual(isRefused('Cannot read'));
  const claim = ownClaim(dataDir);
  expect(claim).not.toBeNull();
  mkdirSync(join(dataDir, 'restoring-payloads'));
  s3.decide(() => 'pass');

  await promoteAtOnce(dataDir);

  expect(ownClaim(dataDir)).toEqual(claim);
  expectOneLog(board, dataDir);
});

describe.each([true, false])(
  'of two promotions at once (conditional writes: %s),',
  (conditional) => {
    test('one becomes the writer, and the other has no board', async () => {
      if (!conditional) s3 = await aStoreWithLog({ conditional });
      const folders = [aDataDir(), aDataDir()];
      const config = (dataDir: string) => ({ dataDir, root: ROOT });
      const one = {
        store: s3.store,
        file: board.file,
        now: board.ctx.now(),
        stopsMs: 300,
        complete: false,
      };

      const ended = await Promise.allSettled(
        folders.map((dataDir) => {
          return promote({ ...one, config: config(dataDir), onClaim: () => undefined });
        }),
      );

      const claim = await readClaim(s3.store);
      const winners = folders.filter((dataDir) => existsSync(databasePath({ dataDir })));
      expect(winners).toHaveLength(1);
      expect(claim).toMatchObject({ value: ownClaim(winners[0] ?? '') });
      const [lost] = ended.filter(({ status }) => status === 'rejected');
      expect(lost).toMatchObject({ reason: isRefused('Another machine became the writer') });
    });
  },
);

test('a promotion that lost does not begin again by itself', async () => {
  const [first, second] = [aDataDir(), aDataDir()];
  s3.decide(({ key }) => (key === 'log/checkpoint' && ownClaim(first) ? 'break' : 'pass'));
  await expect(promoteAtOnce(first)).rejects.toThrow();
  s3.decide(() => 'pass');
  await promoteAtOnce(second);

  await expect(promoteAtOnce(first)).rejects.toEqual(isRefused('empty its data folder'));
  expect(existsSync(databasePath({ dataDir: first }))).toBe(false);
});
