/** What a board copies to its object store, and when. */
import { describe, expect, test } from 'vitest';
import { zstdDecompressSync } from '#db/threads/compression.ts';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { tilePath } from '#core/domain/tlog/tile.ts';
import { bundleName, newBundles, newTiles } from '#server/object-store/log-objects.ts';
import { confirmClaim, readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { payloadLines, readTile } from '#server/public-log/tiles.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import { readIndex, keysOf } from '#server/facts/facts-index.ts';
import { readPublications } from '#server/publication/stored/stored-publications.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  aDataDir,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { type StoredBoard, aStoredBoard, readBack } from '#tests/support/store/stored-board.ts';

async function aBoardWith(...names: string[]) {
  const ctx = testContext();
  for (const name of names) {
    await submit(ctx, await anEnrolledDevice(ctx, name), bucketsOfDays(9, '2026-02-20'));
  }
  return ctx;
}

/** Everything that `current` names is there, and nothing else of these kinds is. */
async function expectComplete({ s3, current }: StoredBoard): Promise<void> {
  const { chain, facts } = await current();
  const publications = chain.map((id) => `publications/${id}`).toSorted();
  expect(await s3.keys('publications/')).toEqual(publications);
  const found = await s3.store.get(facts ?? '');
  if (facts === null || found === null || found === 'unchanged') throw new Error('No index');
  const keys = [facts, ...keysOf(readIndex(facts, found.bytes))];
  expect(await s3.keys('facts/')).toEqual([...new Set(keys)].toSorted());
}

test('a board is copied, and read back as it was stored', async () => {
  const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
  const id = board.publish();
  await board.upload();
  expect(board.uploader.status.state).toBe('ok');
  expect(await board.current()).toMatchObject({
    format: 1,
    access: 'open',
    publication: id,
    kept: [id],
    chain: [id],
    base_url: board.ctx.config.baseUrl,
  });
  await expectComplete(board);
  const [stored] = readPublications(board.ctx.store);
  const [read] = await readBack(board.s3);
  expect(read?.data).toEqual(stored?.data);
  expect(await board.s3.keys('assets/')).toEqual(['assets/_astro/page.abc.css']);
});

test('only what is new is written, and what nobody needs is deleted', async () => {
  const board = await aStoredBoard(await aBoardWith('ada', 'bob', 'cyd'));
  const ids = [board.publish()];
  await board.upload();
  for (const output of [1, 2, 3, 4]) {
    await submit(board.ctx, await anEnrolledDevice(board.ctx, 'bob'), [
      ...bucketsOfDays(1, '2026-02-2' + output, { output: 5_000 + output }),
    ]);
    ids.push(board.publish());
    board.s3.requests.length = 0;
    await board.upload();
  }
  const { kept, publication } = await board.current();
  expect([kept, publication]).toEqual([ids.slice(-3), ids.at(-1)]);
  await expectComplete(board);
  const written = board.s3.requests.filter(({ method }) => method === 'PUT').map(({ key }) => key);
  expect(written.filter((key) => key.startsWith('publications/'))).toEqual([
    `publications/${publication}`,
  ]);
  expect(written.filter((key) => key.startsWith('facts/operators/'))).toHaveLength(1);
  expect(written.at(-1)).toBe('current');
});

test('nothing is written while nothing changes', async () => {
  const board = await aStoredBoard(await aBoardWith('ada'));
  board.publish();
  await board.upload();
  board.s3.requests.length = 0;
  await board.upload();
  expect(board.s3.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

describe('a store that fails', () => {
  test.each([
    ['is down', 'break', 'unreachable'],
    ['denies', 403, 'denied'],
    ['fails', 500, 'unreachable'],
  ] as const)('%s: the board goes on, and uploads later', async (_, fate, fault) => {
    const board = await aStoredBoard(await aBoardWith('ada'));
    board.publish();
    await board.upload();
    board.s3.decide(({ method }) => (method === 'PUT' ? fate : 'pass'));
    await submit(
      board.ctx,
      await anEnrolledDevice(board.ctx, 'bob'),
      bucketsOfDays(9, '2026-02-20'),
    );
    const id = board.publish();
    await board.upload();
    expect(board.uploader.status).toMatchObject({ state: 'failing', failures: 1 });
    expect((await board.current()).publication).toBeLessThan(id);
    await readBack(board.s3);
    board.s3.decide(() => 'pass');
    await board.upload();
    expect(board.uploader.status.state).toBe('ok');
    expect((await board.current()).publication).toBe(id);
    await expectComplete(board);
    expect(fault).toBeTypeOf('string');
  });

  test('at any request leaves a store that can be read, and the next process repairs it', async () => {
    const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
    board.publish();
    await board.upload();
    for (let after = 0, isDone = false; !isDone; after += 3) {
      await submit(board.ctx, await anEnrolledDevice(board.ctx, 'ada'), [
        ...bucketsOfDays(1, '2026-02-25', { output: 7_000 + after }),
      ]);
      board.publish();
      let asked = 0;
      board.s3.decide(() => ((asked += 1) > after ? 'break' : 'pass'));
      await board.upload();
      isDone = asked <= after;
      board.s3.decide(() => 'pass');
      expect(await readBack(board.s3)).not.toEqual([]);
      board.restart();
      await board.upload();
      await expectComplete(board);
    }
    const [stored] = readPublications(board.ctx.store).toReversed();
    const [read] = (await readBack(board.s3)).toReversed();
    expect(read?.data).toEqual(stored?.data);
  }, 120_000);
});

describe('hiding', () => {
  test.each([[true], [false]])(
    'deletes what came before (conditional writes: %s)',
    async (conditional) => {
      const ctx = await aBoardWith('ada', 'bob');
      const board = await aStoredBoard(ctx, { conditional });
      const before = board.publish();
      await board.upload();
      hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
      const id = board.publishHiding();
      const startedMs = performance.now();
      await board.uploader.hideBefore(id);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
      expect(await board.current()).toMatchObject({ publication: id, least: id, kept: [id] });
      expect(await board.s3.keys('publications/')).not.toContain(`publications/${before}`);
      await board.uploader.settled();
      await expectComplete(board);
      expect(await textsIn(board)).not.toContain(`"codename":"ada"`);
    },
  );

  test('makes readers show nothing while the next publication cannot be stored', async () => {
    const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
    const before = board.publish();
    await board.upload();
    hideOperator(board.ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
    const id = board.publishHiding();
    board.s3.decide(({ key }) => (key.startsWith('publications/') ? 'hang' : 'pass'));
    await board.uploader.hideBefore(id);
    const current = await board.current();
    expect(current).toMatchObject({
      publication: before,
      least: id,
      kept: [],
      chain: [],
      facts: null,
    });
    expect(await board.s3.keys('publications/')).toEqual([]);
  });

  test('before the process was killed is made up for by the next one', async () => {
    const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
    board.publish();
    await board.upload();
    board.uploader.stop();
    hideOperator(board.ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
    const id = board.publishHiding();
    board.restart();
    await board.upload();
    expect(await board.current()).toMatchObject({ publication: id, least: id });
    await expectComplete(board);
  });

  test('rewrites the payloads of the log, and only those', async () => {
    const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
    board.publish();
    growLog(board.ctx, 600);
    board.publish();
    await board.upload();
    const shown = await payloadsIn(board);
    hideOperator(board.ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
    board.publishHiding();
    board.s3.requests.length = 0;
    await board.upload();
    expect(await payloadsIn(board)).toEqual(payloadsOf(board.ctx));
    expect(await payloadsIn(board)).not.toEqual(shown);
    const written = board.s3.requests.filter(
      ({ method, key }) => method === 'PUT' && /payload/.test(key),
    );
    expect(written.map(({ key }) => key).toSorted()).toEqual([
      'log/payload/000',
      'log/payload/002',
    ]);
    hideOperator(board.ctx, { kind: 'unhide', name: 'ada', reason: 'A reason' });
    board.publish();
    await board.upload();
    expect(await payloadsIn(board)).toEqual(payloadsOf(board.ctx));
  });
});

test('the log in the store is complete, with the tiles of its checkpoint', async () => {
  const board = await aStoredBoard(await aBoardWith('ada'));
  board.publish();
  await board.upload();
  for (const more of [100, 300, 256, 1]) {
    growLog(board.ctx, more);
    board.publish();
    await board.upload();
    const note = (await objectOf(board, 'log/checkpoint')).toString();
    expect(note).toBe(board.ctx.checkpoints.shown?.note);
    const { size } = parseCheckpoint(parseNote(note).text);
    expect((await board.current()).log_size).toBe(size);
    for (const tile of newTiles(0, size)) {
      const path = tilePath(tile);
      const bytes = await objectOf(board, `log/${path}`);
      expect(bytes.equals(readTile(board.ctx, path, size))).toBe(true);
    }
    expect(await payloadsIn(board)).toEqual(payloadsOf(board.ctx));
  }
  const partial = (await board.s3.keys('log/tile/0/')).filter((key) => key.includes('.p/'));
  expect(partial.every((key) => key.startsWith('log/tile/0/002.p/'))).toBe(true);
});

test('a board for members publishes only that it is one, until it is public again', async () => {
  const ctx = await aBoardWith('ada');
  const board = await aStoredBoard(ctx);
  const id = board.publish();
  await board.upload();
  const access = { ...ctx.config.access };
  Object.defineProperty(ctx.config, 'access', {
    value: { ...access, read: 'members' },
    configurable: true,
  });
  await board.upload();
  expect(await board.current()).toMatchObject({
    access: 'members',
    kept: [],
    chain: [],
    facts: null,
  });
  expect((await board.s3.keys()).filter((key) => !key.startsWith('assets/'))).toEqual([
    'current',
    'writer',
  ]);
  Object.defineProperty(ctx.config, 'access', { value: access, configurable: true });
  await board.upload();
  expect(await board.current()).toMatchObject({ access: 'open', publication: id });
  await expectComplete(board);
  expect(await payloadsIn(board)).toEqual(payloadsOf(ctx));
});

describe('another writer', () => {
  test.each([[true], [false]])(
    'stops this one for good (conditional writes: %s)',
    async (conditional) => {
      const board = await aStoredBoard(await aBoardWith('ada'), { conditional });
      board.publish();
      await board.upload();
      const before = await readClaim(board.s3.store);
      if (before === null || before === 'unchanged') throw new Error('No claim');
      const now = board.ctx.now();
      await takeOverClaim(board.s3.store, { before, dataDir: aDataDir(), logSize: 1, now });
      const { publication } = await board.current();
      await submit(
        board.ctx,
        await anEnrolledDevice(board.ctx, 'bob'),
        bucketsOfDays(9, '2026-02-20'),
      );
      board.publish();
      await board.upload();
      expect(board.fenced).toHaveLength(1);
      expect(board.uploader.status.state).toBe('fenced');
      expect((await board.current()).publication).toBe(publication);
      await expect(board.uploader.claim()).rejects.toThrow('Another machine became the writer');
    },
  );

  test('numbers its publications above those of the first, and shares nothing with them', async () => {
    const first = await aStoredBoard(await aBoardWith('ada', 'bob'));
    for (let at = 0; at < 5; at += 1) first.publish();
    await first.upload();
    const { publication } = await first.current();
    first.uploader.stop();
    const before = await readClaim(first.s3.store);
    if (before === null || before === 'unchanged') throw new Error('No claim');
    const ctx = await aBoardWith('ada');
    const { dataDir } = ctx.config;
    await takeOverClaim(first.s3.store, { before, dataDir, logSize: 1, now: ctx.now() });
    const second = await aStoredBoard(ctx, { s3: first.s3 });
    second.publish();
    await second.upload();
    await second.upload();
    const current = await second.current();
    expect(current.publication).toBeGreaterThan(publication);
    expect(current.kept).toEqual([current.publication]);
    await expectComplete(second);
    expect(await payloadsIn(second)).toEqual(payloadsOf(ctx));
  });

  test('can claim a store only if it is not claimed, or takes over what it read', async () => {
    const board = await aStoredBoard(await aBoardWith('ada'));
    await board.upload();
    const now = board.ctx.now();
    const claim = { dataDir: aDataDir(), logSize: 1, now };
    await expect(confirmClaim(board.s3.store, claim)).rejects.toThrow('Another machine');
    await expect(takeOverClaim(board.s3.store, { ...claim, before: null })).rejects.toMatchObject({
      fault: 'changed',
    });
  });
});

async function objectOf({ s3 }: StoredBoard, key: string): Promise<Buffer> {
  const found = await s3.store.get(key);
  if (found === null || found === 'unchanged') throw new Error(`${key} is missing`);
  return found.bytes;
}

async function payloadsIn(board: StoredBoard): Promise<string[]> {
  const keys = await board.s3.keys('log/payload/');
  return Promise.all(keys.map(async (key) => (await objectOf(board, key)).toString()));
}

function payloadsOf(ctx: TestContext): string[] {
  const size = ctx.checkpoints.shown?.size ?? 0;
  return newBundles(0, size).map((number) =>
    [...payloadLines(ctx, bundleName(number), size)].join(''),
  );
}

/** All objects as text, decompressed. */
async function textsIn(board: StoredBoard): Promise<string> {
  const keys = await board.s3.keys();
  const all = await Promise.all(keys.map((key) => objectOf(board, key)));
  return all.map((bytes) => textOf(bytes)).join('\n');
}

function textOf(bytes: Buffer): string {
  try {
    return zstdDecompressSync(bytes).toString('latin1');
  } catch {
    return bytes.toString('latin1');
  }
}
