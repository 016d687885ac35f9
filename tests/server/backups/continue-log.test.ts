/** A restored board goes on with the log that it published. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { RULESET } from '#core/domain/board/ruleset.ts';
import { decodeBundle, encodeBundle } from '#core/domain/tlog/bundle.ts';
import { type Store, openStore } from '#db/store.ts';
import { writeBackup } from '#server/backups/backup-file.ts';
import { checkpointPath, databasePath } from '#server/config/config.ts';
import { openBoardKey } from '#server/identity/board-key.ts';
import { openLogKey } from '#server/identity/log-key.ts';
import { type SignedCheckpoint, readLargest } from '#server/public-log/checkpoint-file.ts';
import { Checkpoints, checkpointFault } from '#server/public-log/checkpoints.ts';
import { readLogNote, sizeOfLog } from '#server/public-log/published-logs.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { NOW, bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import {
  MIGRATIONS,
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';
import { aKilledCopy } from '#tests/support/board/restoring.ts';
import { checkpointsOf } from '#tests/support/tlog/board-checkpoints.ts';
import { aLogCopy } from '#tests/support/tlog/log-copy.ts';

const PUBLIC_URL = 'https://board.example';
const BACKED_UP = 300;
const PUBLISHED = 600;

interface Published {
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
async function aPublishedBoard(baseUrl = PUBLIC_URL): Promise<Published> {
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
function growTo({ store, now }: TestContext, size: number): void {
  const entry = { kind: 'ruleset', operator_id: null, payload: RULESET, now: now() } as const;
  while (store.tiles.size() < size) store.transaction(() => store.log.append(entry));
}

/** The board as its server finds it. */
function opened(dataDir: string, baseUrl = PUBLIC_URL): { store: Store; checkpoints: Checkpoints } {
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
function expectOneLog({ largest }: Published, dataDir: string): void {
  const { store, checkpoints } = opened(dataDir);
  expect(checkpointFault(store.tiles, largest)).toBeNull();
  expect(checkpoints.fault).toBeNull();
  expect(checkpoints.shown?.size).toBeGreaterThan(PUBLISHED);
  expect(checkpoints.shown?.origin).toBe('board.example/log');
}

function edit(dataDir: string, sql: string): void {
  const db = new Database(databasePath({ dataDir }));
  db.exec(sql);
  db.close();
}

const jsonOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;

/** The names and bytes of all files in a folder. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names
      .filter((each) => each.isFile() && each.name !== 'server.lock')
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, readFileSync(path, 'hex')]),
  );
}

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

describe('a copy that lies is refused and named, and changes nothing', () => {
  const FIRST = 'tile/entries/001';
  const LAST = 'tile/entries/002.p/88';

  /** Changes one bundle. */
  const inBundle = (path: string, lie: (entries: Buffer[]) => Buffer[]) => (folder: string) => {
    const file = join(folder, path);
    const entries = decodeBundle(readFileSync(file)).map((entry) => Buffer.from(entry));
    writeFileSync(file, encodeBundle(lie(entries)));
  };
  const inEntry = (path: string, at: number, [from, to]: [string, string]) =>
    inBundle(path, (entries) =>
      entries.map((entry, place) =>
        place === at ? Buffer.from(entry.toString().replace(from, to)) : entry,
      ),
    );
  /** Changes the first digit of the payload's digest, which nothing but a hash shows. */
  const inDigest = (path: string, at: number) =>
    inBundle(path, (entries) =>
      entries.map((entry, place) => {
        const lines = entry.toString().split('\n');
        lines[4] = (lines[4]?.startsWith('0') ? '1' : '0') + lines[4]?.slice(1);
        return place === at ? Buffer.from(lines.join('\n')) : entry;
      }),
    );

  test.each<[name: string, lie: (folder: string) => void, told: RegExp]>([
    ['a changed hash', inDigest(FIRST, 100), /entry 358 in .* does not continue entry 357/],
    ['a changed hash of the last entry', inDigest(LAST, 87), /root that .*checkpoint states/],
    [
      'another kind',
      inEntry(FIRST, 99, ['ruleset', 'restore']),
      /entry 357 in .* does not continue/,
    ],
    ['an unknown kind', inEntry(FIRST, 99, ['ruleset', 'rules']), /001 was changed: entry 356/],
    ['an impossible time', inEntry(LAST, 3, ['T', 'X']), /002.* was changed: entry 516/],
    [
      'entries in another order',
      inBundle(LAST, ([first, second, ...rest]) => [second, first, ...rest] as Buffer[]),
      /was changed: entry 513 in it/,
    ],
    [
      'fewer entries than it should have',
      inBundle(LAST, (entries) => entries.slice(0, -1)),
      /root that .*checkpoint states/,
    ],
    [
      'a bundle that is cut off',
      (folder) => writeFileSync(join(folder, LAST), readFileSync(join(folder, LAST)).subarray(9)),
      /002\.p\/88 was changed/,
    ],
    [
      'a bundle that is missing',
      (folder) => rmSync(join(folder, FIRST)),
      /has no tile\/entries\/001, so it is incomplete/,
    ],
    [
      'no checkpoint',
      (folder) => rmSync(join(folder, 'checkpoint')),
      /has no file checkpoint, so it is not a published log/,
    ],
    [
      'a checkpoint of another size',
      (folder) => replaceIn(join(folder, 'checkpoint'), '600', '599'),
      /checkpoint is not signed by this board|has no tile/,
    ],
    [
      'a damaged checkpoint',
      (folder) => writeFileSync(join(folder, 'checkpoint'), 'board.example/log\n600\n'),
      /checkpoint is not a checkpoint/,
    ],
  ])('%s', async (_name, lie, told) => {
    const dataDir = board.folder();
    const before = filesIn(dataDir);
    const copy = aLogCopy(board.ctx);
    lie(copy);

    // A lie is no reason to begin a new log.
    const { status, stderr } = await board.restore(dataDir, '--log', copy, '--new-log');

    expect([status, stderr]).toEqual([3, expect.stringMatching(told)]);
    expect(stderr).toContain('Nothing was changed');
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('the log of another board, in either form', async () => {
    const other = await aPublishedBoard();
    const dataDir = board.folder();
    const before = filesIn(dataDir);
    const file = join(aDataDir(), 'log.ndjson');
    writeFileSync(file, exportOf(other.ctx).join(''));
    for (const copy of [aLogCopy(other.ctx), file]) {
      const { status, stderr } = await board.restore(dataDir, '--log', copy);
      expect([status, stderr]).toEqual([3, expect.stringContaining('it is from another log')]);
    }
    expect(filesIn(dataDir)).toEqual(before);
  });

  test('an older copy, which says how much it lacks', async () => {
    const dataDir = board.folder();
    const copy = aLogCopy(board.ctx);
    growTo(board.ctx, 700);
    checkpointsOf(board.ctx).advance();
    copyFileSync(checkpointPath(board.ctx.config), checkpointPath({ dataDir }));

    const { status, stderr } = await board.restore(dataDir, '--log', copy);

    expect([status, stderr]).toEqual([3, expect.stringContaining('published 700. Missing: 100')]);
  });
});

function replaceIn(path: string, from: string, to: string): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
}

describe('--new-log', () => {
  test('begins another log with the entries of the backup, and leaves the old one as it was', async () => {
    const { ctx, restore } = board;
    const dataDir = board.folder();
    const old = readFileSync(checkpointPath({ dataDir }), 'utf8');

    const restored = await restore(dataDir, '--new-log');

    expect(restored.status).toBe(0);
    expect(jsonOf(restored)).toMatchObject({ lost: null, new_log: 'board.example/log/2' });
    expect(restored.stderr).toContain('A new log began: https://board.example/log/2');
    const { store, checkpoints } = opened(dataDir);
    expect(checkpoints).toMatchObject({ fault: null, shown: { origin: 'board.example/log/2' } });
    expect(store.log.at(BACKED_UP)?.entry_hash).toBe(ctx.store.log.at(BACKED_UP)?.entry_hash);
    const served = { ...ctx, store, checkpoints };
    expect(readLogNote(served, undefined)).toBe(old);
    expect(readLogNote(served, '2')).toBe(checkpoints.shown?.note);
    expect(sizeOfLog(served, undefined)).toBe(BACKED_UP);
    expect(sizeOfLog(served, '2')).toBe(store.tiles.size());
    for (const address of ['1', '3', '02', 'x']) {
      expect(() => sizeOfLog(served, address)).toThrow('no such log');
    }
    const env = { DATA_DIR: dataDir, BASE_URL: PUBLIC_URL };
    expect(await runAdmin(['verify'], env)).toMatchObject({ status: 0 });
  });

  test('is not used if the old log can go on', async () => {
    const dataDir = board.folder();
    const restored = await board.restore(dataDir, '--new-log', '--log', aLogCopy(board.ctx));

    expect(jsonOf(restored)).toMatchObject({ lost: [301, 600], new_log: null });
    expectOneLog(board, dataDir);
  });

  test('protects the new log like the first one', async () => {
    const { file, restore } = board;
    const dataDir = board.folder();
    await restore(dataDir, '--new-log');
    opened(dataDir).store.close();
    expect(existsSync(checkpointPath({ dataDir }, 2))).toBe(true);

    // A database that was copied by hand still has the first log.
    renameSync(databasePath({ dataDir }), join(aDataDir(), 'moved.sqlite'));
    copyFileSync(file, databasePath({ dataDir }));
    const copied = opened(dataDir);
    expect(copied.checkpoints).toMatchObject({ fault: 'rewound', shown: null });
    copied.store.close();

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
