/** A restored board goes on with the log that it published. */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeBackup } from '#server/backups/backup-file.ts';
import { checkpointPath, databasePath } from '#server/config/config.ts';
import { openBoardKey } from '#server/identity/board-key.ts';
import { readLargest } from '#server/public-log/checkpoint-file.ts';
import { readLogNote, sizeOfLog } from '#server/public-log/published-logs.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { aDataDir, publishAndKeep, testContext } from '#tests/support/board/context.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';
import { aKilledCopy } from '#tests/support/board/restoring.ts';
import { checkpointsOf } from '#tests/support/tlog/board-checkpoints.ts';
import { aLogCopy } from '#tests/support/tlog/log-copy.ts';
import {
  BACKED_UP,
  PUBLIC_URL,
  PUBLISHED,
  type Published,
  aPublishedBoard,
  dropDatabase,
  edit,
  expectOneLog,
  filesIn,
  growTo,
  jsonOf,
  opened,
} from '#tests/support/tlog/published-board.ts';

let board: Published;
beforeEach(async () => {
  board = await aPublishedBoard();
});

describe('a restored board takes the entries that were published after the backup', () => {
  test('from the board that it replaces, up to its last entry', async () => {
    const { ctx, restore } = board;
    growTo(ctx, PUBLISHED + 9);
    const dataDir = aKilledCopy(ctx);
    copyFileSync(checkpointPath(ctx.config), checkpointPath({ dataDir }));

    const restored = await restore(dataDir, '--force');

    expect(restored.status).toBe(0);
    expect(jsonOf(restored)).toMatchObject({ lost: [BACKED_UP + 1, PUBLISHED + 9], new_log: null });
    expect(restored.stderr).toContain('without their contents');
    expectOneLog(board, dataDir);
    expect(opened(dataDir).store.log.at(PUBLISHED + 9)).toMatchObject({
      entry_hash: ctx.store.log.head()?.entry_hash,
      salt: null,
      payload: null,
      operator_id: null,
    });
    expect(
      opened(dataDir)
        .store.log.at(PUBLISHED + 10)
        ?.payload?.toString(),
    ).toBe(JSON.stringify({ entries: [[BACKED_UP + 1, PUBLISHED + 9]] }));
  });

  test('from a folder with the published log', async () => {
    const dataDir = board.folder();
    const restored = await board.restore(dataDir, '--log', aLogCopy(board.ctx));

    expect(restored).toMatchObject({ status: 0 });
    expect(jsonOf(restored)['lost']).toEqual([BACKED_UP + 1, PUBLISHED]);
    expectOneLog(board, dataDir);
  });

  test('from an address with the published log, which may have only full bundles', async () => {
    const copy = aLogCopy(board.ctx);
    growTo(board.ctx, 768);
    const grown = aLogCopy(board.ctx);
    const server = createServer(({ url = '' }, response) => {
      const path = url.replace('/a/log/', '');
      const file = join(path === 'checkpoint' ? copy : grown, path);
      response.writeHead(existsSync(file) ? 200 : 404);
      response.end(existsSync(file) ? readFileSync(file) : '');
    });
    whenOver(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const dataDir = aDataDir();

    const restored = await board.restore(dataDir, '--log', `http://127.0.0.1:${port}/a/log/`);

    expect(restored).toMatchObject({ status: 0 });
    expect(jsonOf(restored)['lost']).toEqual([BACKED_UP + 1, PUBLISHED]);
    expect(readLargest(checkpointPath({ dataDir }))?.size).toBe(PUBLISHED);
    expectOneLog(board, dataDir);
  });

  test('from a copy of the public log', async () => {
    const copy = join(aDataDir(), 'log.ndjson');
    writeFileSync(copy, exportOf(board.ctx).join(''));
    const dataDir = board.folder();

    const restored = await board.restore(dataDir, '--log', copy);

    expect(restored).toMatchObject({ status: 0 });
    expectOneLog(board, dataDir);
  });

  test('from a copy if the replaced board went another way', async () => {
    const { ctx, file, restore } = board;
    const dataDir = board.folder();
    copyFileSync(file, databasePath({ dataDir }));
    const { store, checkpoints } = opened(dataDir);
    growTo({ ...ctx, store }, BACKED_UP + 9);
    store.close();
    expect(checkpoints.fault).toBe('rewound');

    expect(await restore(dataDir, '--force')).toMatchObject({ status: 3 });
    const restored = await restore(dataDir, '--force', '--log', aLogCopy(ctx));

    expect(jsonOf(restored)['lost']).toEqual([BACKED_UP + 1, PUBLISHED]);
    expectOneLog(board, dataDir);
  });

  test('with the key of the log, if the backup is older than the key', async () => {
    const ctx = testContext({ baseUrl: PUBLIC_URL });
    const file = join(aDataDir(), 'backup.sqlite');
    growTo(ctx, 5);
    writeBackup(databasePath(ctx.config), file);
    const before = checkpointsOf(ctx);
    before.advance();
    const dataDir = aKilledCopy(ctx);
    copyFileSync(checkpointPath(ctx.config), checkpointPath({ dataDir }));
    const env = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };

    expect(await runAdmin(['restore', file, '--force'], env)).toMatchObject({ status: 0 });

    const { checkpoints } = opened(dataDir);
    expect(checkpoints).toMatchObject({ fault: null, shown: { origin: before.shown?.origin } });
    expect(await runAdmin(['verify'], env)).toMatchObject({ status: 0 });
  });
});

test('the lost entries are named by the log, so that a verification finds nothing wrong', async () => {
  const { ctx, restore } = board;
  const dataDir = aKilledCopy(ctx);
  await restore(dataDir, '--force');
  const env = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };

  const verified = await runAdmin(['verify'], env);
  expect(verified.stdout).toContain('No problems found');
  expect(verified.stdout).toContain('Entries whose contents a restore lost: 300');
  expect(await runAdmin(['doctor'], env)).not.toMatchObject({ status: 4 });
  const { store } = opened(dataDir);
  const boardKey = openBoardKey(store, new Date(NOW));
  publishAndKeep({ ...ctx, store, boardKey });
  const { codes, check } = verify(exportOf({ ...ctx, store, boardKey }));
  expect(codes).toEqual([]);
  expect(check.entries?.chain.counts()).toEqual({ erased: 0, lost: 300, withheld: 0 });
  // Without the entry that names them, they would be withheld.
  edit(dataDir, `UPDATE packed_entries SET kind = 'hide' WHERE kind = 'lost'`);
  expect((await runAdmin(['verify'], env)).stdout).toContain('no erasure or restore covers this');
});

describe('a restore that would fork the published log stops, and changes nothing', () => {
  test('if entries are missing, and says how many and what helps', async () => {
    const dataDir = board.folder();
    const before = filesIn(dataDir);

    const { status, stderr } = await board.restore(dataDir);

    expect(status).toBe(3);
    expect(stderr).toContain('ends with entry 300 of the log, but the board has published 600');
    expect(stderr).toMatch(/--log ADDRESS[^]*--log FILE[^]*--new-log/);
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('on a new machine, unless a copy shows the log or the admin says that it is complete', async () => {
    const { restore, ctx } = board;
    const dataDir = aDataDir();

    const refused = await restore(dataDir);
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('--complete')]);
    expect(filesIn(dataDir)).toEqual({});
    expect(await restore(dataDir, '--complete')).toMatchObject({ status: 0 });
    expect(await restore(aDataDir(), '--log', aLogCopy(ctx))).toMatchObject({ status: 0 });
    expect(jsonOf(await restore(aDataDir(), '--new-log'))['new_log']).toBe('board.example/log/2');
    // What is known counts for more.
    expect(await restore(board.folder(), '--complete')).toMatchObject({ status: 3 });
  });

  test('if the file of the largest checkpoint is damaged', async () => {
    const dataDir = board.folder();
    writeFileSync(checkpointPath({ dataDir }), 'board.example/log\n');
    const { status, stderr } = await board.restore(dataDir);
    expect([status, stderr]).toEqual([3, expect.stringContaining('log-checkpoint is damaged')]);
  });

  test('if another board published there', async () => {
    const other = await aPublishedBoard();
    const { status, stderr } = await board.restore(other.folder());
    expect([status, stderr]).toEqual([3, expect.stringContaining('does not have the key')]);
  });
});

describe('--new-log', () => {
  test('begins another log with the entries of the backup, and leaves the old one as it was', async () => {
    const { ctx, restore } = board;
    const dataDir = board.folder();
    const old = readFileSync(checkpointPath({ dataDir }), 'utf8');

    const restored = await restore(dataDir, '--new-log');

    expect(restored.status).toBe(0);
    expect(jsonOf(restored)).toMatchObject({ lost: null, new_log: 'board.example/log/2' });
    expect(restored.stderr).toContain('A new log began: board.example/log/2');
    const { store, checkpoints } = opened(dataDir);
    expect(checkpoints).toMatchObject({ fault: null, shown: { origin: 'board.example/log/2' } });
    expect(store.log.at(BACKED_UP)?.entry_hash).toBe(ctx.store.log.at(BACKED_UP)?.entry_hash);
    const served = { ...ctx, config: { ...ctx.config, dataDir }, store, checkpoints };
    expect(readLogNote(served, undefined)).toBe(old);
    expect(readLogNote(served, '2')).toBe(checkpoints.shown?.note);
    expect(sizeOfLog(served, undefined)).toBe(BACKED_UP);
    expect(sizeOfLog(served, '2')).toBe(checkpoints.shown?.size);
    for (const address of ['1', '3', '02', 'x']) {
      expect(() => sizeOfLog(served, address)).toThrow('no such log');
    }
    const env = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };
    expect(await runAdmin(['verify'], env)).toMatchObject({ status: 0 });
    const { stdout } = await runAdmin(['doctor'], env);
    expect(stdout).toMatch(/the log extends the checkpoint of 30\d entries/);
  });

  test('is not used if the old log can go on', async () => {
    const dataDir = board.folder();
    const restored = await board.restore(dataDir, '--new-log', '--log', aLogCopy(board.ctx));

    expect(jsonOf(restored)).toMatchObject({ lost: [301, 600], new_log: null });
    expectOneLog(board, dataDir);
  });

  test('protects the new log like the first one', async () => {
    const { ctx, file, restore } = board;
    const dataDir = board.folder();
    await restore(dataDir, '--new-log');
    opened(dataDir).store.close();
    expect(existsSync(checkpointPath({ dataDir }, 2))).toBe(true);

    // Databases that are copied by hand still have the first log, even the one that has all of it.
    const whole = join(aDataDir(), 'whole.sqlite');
    writeBackup(databasePath(ctx.config), whole);
    for (const database of [whole, file]) {
      dropDatabase(dataDir);
      copyFileSync(database, databasePath({ dataDir }));
      const copied = opened(dataDir);
      expect(copied.checkpoints).toMatchObject({ fault: 'rewound', shown: null });
      copied.store.close();
    }

    const refused = await restore(dataDir, '--force');
    expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('--new-log')]);
    const again = await restore(dataDir, '--force', '--new-log');
    expect(jsonOf(again)['new_log']).toBe('board.example/log/3');
    expect(opened(dataDir).checkpoints.fault).toBeNull();
  });
});

test('a damaged board gives what it has, and a copy the rest', async () => {
  const { ctx } = board;
  const copy = aLogCopy(ctx);
  const dataDir = aKilledCopy(ctx);
  copyFileSync(checkpointPath(ctx.config), checkpointPath({ dataDir }));
  edit(dataDir, 'UPDATE packed_entries SET payload_digest = zeroblob(32) WHERE log_index = 400');

  const refused = await board.restore(dataDir, '--force');
  expect([refused.status, refused.stderr]).toEqual([3, expect.stringContaining('Missing: 300')]);

  const restored = await board.restore(dataDir, '--force', '--log', copy);
  expect(jsonOf(restored)['lost']).toEqual([301, 600]);
  expectOneLog(board, dataDir);
});
