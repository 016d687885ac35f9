import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databasePath, parquetPath } from '#server/config/config.ts';
import {
  ownClaim,
  confirmClaim,
  hasClaim,
  takeOverClaim,
} from '#server/object-store/writer-claim.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { type WriteInThread, parquetThread } from '#server/parquet/parquet-thread.ts';
import { ParquetUploads } from '#server/parquet/parquet-uploads.ts';
import { DAY_MS, MINUTE_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import {
  MIGRATIONS,
  type TestContext,
  aDataDir,
  testContext,
} from '#tests/support/board/context.ts';
import { aDuckDb } from '#tests/support/board/duckdb.ts';
import { aSubmitter } from '#tests/support/board/small-board.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';

const WORKER = new URL('../../../src/server/parquet/worker.ts', import.meta.url);
const TODAY = 'parquet/2026-03-10.parquet';
const LATEST = 'parquet/latest.parquet';

function threadOf({ config, store, ruleset }: TestContext): WriteInThread {
  const paths = { databasePath: databasePath(config), migrations: MIGRATIONS };
  const { baseUrl } = config;
  return parquetThread(WORKER, {
    ...paths,
    baseUrl,
    ruleset: ruleset.id,
    writeLock: store.writeLock,
  });
}

/** A board of `ada` and `bob`, and its uploads to a store, which look only when asked. */
async function aScene(onWrite: () => void = () => undefined) {
  const ctx = testContext();
  await aSubmitter(ctx, 'ada', bucketsOfDays(3, '2026-03-01'));
  await aSubmitter(ctx, 'bob', bucketsOfDays(2, '2026-03-01'));
  const s3 = await startS3();
  whenOver(() => void s3.stop());
  const { dataDir } = ctx.config;
  await confirmClaim(s3.store, { dataDir, logSize: 0, now: ctx.now() });
  const board = { isPublic: true };
  const write = threadOf(ctx);
  const logged: [string, unknown][] = [];
  const log = (event: string, fields?: unknown) => void logged.push([event, fields]);
  const uploads = new ParquetUploads({
    objects: s3.store,
    store: ctx.store,
    path: parquetPath(ctx.config),
    write: (...given) => {
      onWrite();
      return write(...given);
    },
    isPublic: () => board.isPublic,
    isWriter: () => hasClaim(s3.store, dataDir),
    now: ctx.now,
    logger: { info: log, warn: log, error: log },
  });
  whenOver(() => void uploads.close());
  const hide = (id: number) => {
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
  };
  return { ctx, s3, uploads, board, logged, hide, files: () => s3.keys('parquet/') };
}

/** The operators in the newest file. */
async function operatorsIn({ store }: S3): Promise<unknown[]> {
  const found = await store.get(LATEST);
  if (found === null) throw new Error('The file is missing');
  const folder = aDataDir();
  writeFileSync(join(folder, 'latest.parquet'), found.bytes);
  const ask = await aDuckDb(folder);
  const rows = await ask(`SELECT DISTINCT operator FROM 'latest.parquet' ORDER BY ALL`);
  return rows.map(({ operator }) => operator);
}

test('uploads one file a day, by day and under a stable name, and keeps only the newest', async () => {
  const { ctx, s3, uploads, files, logged } = await aScene();

  await uploads.look();
  expect(await files()).toEqual([TODAY, LATEST]);
  expect(await operatorsIn(s3)).toEqual(['ada', 'bob']);
  expect(logged).toEqual([['parquet_uploaded', { rows: 5, bytes: expect.any(Number) }]]);
  expect(existsSync(parquetPath(ctx.config))).toBe(false);
  expect(uploads.status).toEqual({ isFailing: false, uploadedMs: ctx.clock.nowMs });
  const asked = s3.requests.length;
  ctx.clock.nowMs += MINUTE_MS;
  await uploads.look();
  expect(s3.requests.length).toBe(asked);

  ctx.clock.nowMs += DAY_MS;
  await uploads.look();
  expect(await files()).toEqual(['parquet/2026-03-11.parquet', LATEST]);
});

test('deletes the file before a change that hides is confirmed, and writes it again without the operator', async () => {
  const { uploads, s3, hide, files } = await aScene();
  await uploads.look();
  hide(1);

  await uploads.withdraw();

  expect(await files()).toEqual([]);
  await uploads.look();
  expect(await files()).toEqual([TODAY, LATEST]);
  expect(await operatorsIn(s3)).toEqual(['bob']);
});

test('also deletes a file of an earlier process', async () => {
  const { uploads, s3, hide, files } = await aScene();
  await s3.store.put('parquet/2026-03-09.parquet', Buffer.from('old'));
  hide(1);

  await uploads.withdraw();

  expect(await files()).toEqual([]);
});

test('writes the file again if somebody is shown again, without being told', async () => {
  const { ctx, uploads, s3, hide } = await aScene();
  hide(1);
  await uploads.look();
  expect(await operatorsIn(s3)).toEqual(['bob']);
  ctx.store.transaction(() => changeVisibility(ctx, 1, { privacy_mode: 'pseudonymous' }));

  await uploads.look();

  expect(await operatorsIn(s3)).toEqual(['ada', 'bob']);
});

test('an upload that somebody interrupts by hiding leaves nothing behind', async () => {
  const { uploads, s3, hide, files } = await aScene();
  const reached = Promise.withResolvers<undefined>();
  s3.decide(({ method, key }) => {
    if (method !== 'PUT' || key !== TODAY) return 'pass';
    reached.resolve(undefined);
    return { delayMs: 300 };
  });
  const looking = uploads.look();
  await reached.promise;
  hide(1);

  await uploads.withdraw();
  await looking;

  expect(await files()).toEqual([]);
});

test('hiding ends the thread that writes the file', async () => {
  const writing = Promise.withResolvers<undefined>();
  const { ctx, uploads, s3, hide, files } = await aScene(() => writing.resolve(undefined));
  const looking = uploads.look();
  await writing.promise;
  hide(1);
  await uploads.withdraw();
  await looking;

  expect(await files()).toEqual([]);
  expect(readdirSync(ctx.config.dataDir).filter((name) => name.includes('parquet'))).toEqual([]);
  await uploads.look();
  expect(await operatorsIn(s3)).toEqual(['bob']);
});

test('a store that fails is reported once, asked again, and delays nobody who hides for long', async () => {
  const { ctx, uploads, s3, hide, files, logged } = await aScene();
  await uploads.look();
  logged.length = 0;
  s3.decide(() => 503);
  hide(1);
  const startedMs = performance.now();
  await uploads.withdraw();
  expect(performance.now() - startedMs).toBeLessThan(5000);
  await uploads.look();
  expect(logged.map(([event]) => event)).toEqual(['parquet_failed']);
  expect(uploads.status).toEqual({ isFailing: true, uploadedMs: null });
  expect(await files()).toEqual([TODAY, LATEST]);

  s3.decide(() => 'pass');
  await uploads.look();

  expect(await files()).toEqual([TODAY, LATEST]);
  expect(uploads.status).toEqual({ isFailing: false, uploadedMs: ctx.clock.nowMs });
  expect(await operatorsIn(s3)).toEqual(['bob']);
  expect(ctx.errors).toEqual([]);
});

test('if the first file of a process cannot be written, that of the process before is deleted', async () => {
  const { uploads, s3, files } = await aScene(() => {
    throw new Error('The disk is full');
  });
  await s3.store.put('parquet/2026-03-09.parquet', Buffer.from('old'));
  await uploads.look();

  await uploads.look();

  expect(await files()).toEqual([]);
});

test('after a failed upload, the file is written again ten minutes later', async () => {
  const { ctx, uploads, s3, files } = await aScene();
  s3.decide(({ method, key }) => (method === 'PUT' && key === LATEST ? 403 : 'pass'));
  await uploads.look();
  s3.decide(() => 'pass');
  ctx.clock.nowMs += 9 * MINUTE_MS;
  await uploads.look();
  expect(await files()).toEqual([]);

  ctx.clock.nowMs += MINUTE_MS;
  await uploads.look();
  expect(await files()).toEqual([TODAY, LATEST]);
});

test('a board for members uploads nothing', async () => {
  const { uploads, board, files } = await aScene();
  board.isPublic = false;

  await uploads.look();

  expect(await files()).toEqual([]);
  expect(uploads.status).toBeNull();
});

test('a machine that is no longer the writer neither writes nor deletes', async () => {
  const { ctx, uploads, s3, hide, files } = await aScene();
  await uploads.look();
  const before = await files();
  await s3.store.delete(['writer']);
  await takeOverClaim(s3.store, { before: null, dataDir: aDataDir(), logSize: 9, now: ctx.now() });
  hide(1);

  await uploads.withdraw();
  await uploads.look();

  expect(await files()).toEqual(before);
  expect(ownClaim(ctx.config.dataDir)).not.toBeNull();
});

test('a thread that fails is reported, and does not end the process', async () => {
  const { ctx, uploads, files, logged } = await aScene();
  const path = parquetPath(ctx.config);
  mkdirSync(path);

  await uploads.look();

  expect(logged).toEqual([['parquet_failed', expect.objectContaining({ code: 'EISDIR' })]]);
  expect(await files()).toEqual([]);
  rmSync(path, { recursive: true });
});
