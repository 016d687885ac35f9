import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deleteAccount } from '#server/account/delete-account.ts';
import { updateProfile } from '#server/operator/update-profile.ts';
import { databasePath, publicBoardsPath } from '#server/config/config.ts';
import type { HeaderLine } from '#core/schema/public-log.ts';
import { BoardCalibration } from '#server/public-log/board-calibration.ts';
import { LogFile } from '#server/public-log/log-file.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  MIGRATIONS,
  type TestContext,
  anEnrolledDevice,
  execute,
  publishAndKeep,
  query,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { EVE, aDeletionScene } from '#tests/support/board/deletion.ts';
import { exportOf, lineOf } from '#tests/support/board/public-log.ts';
import { eventually } from '#tests/support/http/server.ts';
import { tracesIn } from '#tests/support/http/traces.ts';

const WORKER = new URL('../../../src/server/public-log/worker.ts', import.meta.url);

const pathIn = ({ config }: TestContext) => join(config.dataDir, 'log.ndjson.gz');
const draftIn = (ctx: TestContext) => `${pathIn(ctx)}.tmp`;

/** The public log's file of a board, closed when the test is over. */
function aLogFile(ctx: TestContext): LogFile {
  const { baseUrl, dataDir } = ctx.config;
  const file = new LogFile({
    store: ctx.store,
    folder: dataDir,
    workerUrl: WORKER,
    worker: {
      databasePath: databasePath(ctx.config),
      migrations: MIGRATIONS,
      baseUrl,
      ruleset: ctx.ruleset,
    },
    calibration: ctx.calibration,
    asOf: () => ctx.publications.current()?.as_of ?? null,
    logger: ctx.logger,
  });
  onTestFinished(() => file.close());
  return file;
}

/** The file's content, once it exists. */
async function contentOf(file: LogFile, open = () => file.open()): Promise<string> {
  const opened = await eventually(
    async () => open(),
    (found) => found !== null,
  );
  const chunks: Uint8Array[] = [];
  for await (const chunk of opened?.bytes ?? []) chunks.push(chunk);
  expect(Buffer.concat(chunks).length).toBe(opened?.size);
  return gunzipSync(Buffer.concat(chunks)).toString();
}

/** The board's calibration, once it is computed. */
function calibrated(ctx: TestContext) {
  return eventually(
    async () => ctx.calibration.current,
    (current) => current !== null,
  );
}

/** The size and tag of a file that no one is reading. */
async function closedAt(file: LogFile) {
  const open = file.open();
  await open?.bytes.cancel();
  return { etag: open?.etag };
}

/** A published board with ada and bob. */
async function aBoard(): Promise<TestContext> {
  const ctx = testContext();
  for (const [index, name] of ['ada', 'bob'].entries()) {
    const device = await anEnrolledDevice(ctx, name);
    await submit(ctx, device, bucketsOfDays(8, '2026-03-01', { input: 1000 + index }));
  }
  publishAndKeep(ctx);
  return ctx;
}

describe('LogFile', () => {
  test('is the public log, and the same file after a restart', async () => {
    const ctx = await aBoard();
    writeFileSync(draftIn(ctx), 'what an interrupted one has left');
    const first = aLogFile(ctx);
    first.start();
    expect(existsSync(draftIn(ctx))).toBe(false);
    expect(first.open()).toBeNull();
    expect(await contentOf(first)).toBe(exportOf(ctx).join(''));
    const etag = first.open()?.etag;
    await first.close();

    const second = aLogFile(ctx);
    second.start();
    expect(second.open()?.etag).toBe(etag);
    expect(readdirSync(ctx.config.dataDir)).toContain('log.ndjson.gz');
    expect(existsSync(draftIn(ctx))).toBe(false);
  });

  test('has all lines that are not entries in a second file', async () => {
    const ctx = await aBoard();
    const file = aLogFile(ctx);
    file.start();
    const lines = (await contentOf(file)).split('\n');

    const boards = await contentOf(file, () => file.openBoards());

    expect(boards.split('\n')).toEqual(lines.filter((line) => !line.includes('"line":"entry"')));
    expect(readdirSync(ctx.config.dataDir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('cannot be read while something is hidden, and then no longer contains it', async () => {
    const ctx = await aBoard();
    const { id = 0, public_id = '' } = ctx.store.operators.byCodename('bob') ?? {};
    const file = aLogFile(ctx);
    file.start();
    expect(await contentOf(file)).toContain(public_id);
    const open = file.open();
    const reading = text(open?.bytes ?? new ReadableStream());
    const seen: unknown[] = [];
    await Promise.all([
      expect(reading).rejects.toThrow('withdrawn'),
      file.withdrawnDuring(async () => {
        seen.push(file.open(), existsSync(pathIn(ctx)), existsSync(draftIn(ctx)));
        seen.push(file.openBoards(), existsSync(publicBoardsPath(ctx.config)));
        await updateProfile(ctx, id, { privacy_mode: 'private' });
        publishAndKeep(ctx);
      }),
    ]);

    expect(seen).toEqual([null, false, false, null, false]);
    expect(await contentOf(file)).not.toContain(public_id);
  });

  test('is discarded at the start if an operator was hidden while no server ran', async () => {
    const ctx = await aBoard();
    const file = aLogFile(ctx);
    file.start();
    await contentOf(file);
    await file.close();
    const { id = 0, public_id = '' } = ctx.store.operators.byCodename('bob') ?? {};
    await updateProfile(ctx, id, { privacy_mode: 'anonymous' });
    publishAndKeep(ctx);

    const next = aLogFile(ctx);
    next.start();
    expect(next.open()).toBeNull();
    expect(existsSync(pathIn(ctx))).toBe(false);
    expect(await contentOf(next)).not.toContain(public_id);
  });

  // Windows replaces no open file: the thread tries again later.
  test.skipIf(process.platform === 'win32')(
    'has the size and tag of the opened file, even if another has just replaced it',
    async () => {
      const ctx = await aBoard();
      const file = aLogFile(ctx);
      file.start();
      const before = await contentOf(file);
      const { etag } = await closedAt(file);
      writeFileSync(draftIn(ctx), gzipSync(`${before}${before}`));
      renameSync(draftIn(ctx), pathIn(ctx));

      expect(await contentOf(file)).toBe(`${before}${before}`);
      expect((await closedAt(file)).etag).not.toBe(etag);

      rmSync(pathIn(ctx));
      expect(file.open()).toBeNull();
    },
  );

  test('of another board, or damaged, is written again', async () => {
    const ctx = await aBoard();
    writeFileSync(pathIn(ctx), 'no log');
    const file = aLogFile(ctx);
    file.start();
    expect(file.open()).toBeNull();
    expect(await contentOf(file)).toContain('opbench-log/1');
  });

  test('comes with the calibration of its days, which survives a restart', async () => {
    const ctx = await aBoard();
    const file = aLogFile(ctx);
    const { version } = ctx.calibration;
    file.start();
    await contentOf(file);
    const calibration = await calibrated(ctx);
    const header = lineOf<HeaderLine>(exportOf(ctx)[0] as string);
    expect(calibration).toMatchObject({
      as_of: header.as_of,
      log_index: header.log_index,
      method: ctx.ruleset.interval,
    });
    expect(ctx.calibration.version).not.toBe(version);
    expect(new BoardCalibration(ctx.store).current).toEqual(calibration);
  });

  test('is written again if an earlier version wrote it without a calibration', async () => {
    const ctx = await aBoard();
    const first = aLogFile(ctx);
    first.start();
    await contentOf(first);
    await calibrated(ctx);
    await first.close();
    execute(ctx, 'DELETE FROM calibration');
    ctx.calibration = new BoardCalibration(ctx.store);
    expect(ctx.calibration.current).toBeNull();

    const second = aLogFile(ctx);
    second.start();
    expect(second.open()).not.toBeNull();
    expect(await calibrated(ctx)).toMatchObject({ log_index: ctx.store.log.head()?.index });
  });

  test('replaces a calibration in a form that this version does not know', async () => {
    const ctx = await aBoard();
    const row = { as_of: '2026-03-08', log_index: 1, result: '{"methods":7}' };
    ctx.store.transaction(() => ctx.store.calibration.replace(row));
    ctx.calibration = new BoardCalibration(ctx.store);
    expect(ctx.calibration.current).toBeNull();
    aLogFile(ctx).start();
    await calibrated(ctx);
    expect(query(ctx, 'SELECT log_index FROM calibration')).toEqual([
      { log_index: ctx.store.log.head()?.index },
    ]);
  });

  test('contains no trace of a deleted operator, even if it was just being written', async () => {
    const { ctx, operator_id, pieces, publisher } = await aDeletionScene();
    const file = aLogFile(ctx);
    ctx.publications.publishNow = (written) =>
      file.withdrawnDuring(() => publisher.publishNow(written));
    file.start();
    await deleteAccount(ctx, operator_id, EVE);

    expect(tracesIn(ctx.config.dataDir, pieces)).toEqual([]);
    expect(await contentOf(file)).not.toContain(pieces['public_id']);
    expect(readFileSync(pathIn(ctx)).length).toBeGreaterThan(100);
    expect(ctx.errors).toEqual([]);
  });
});
