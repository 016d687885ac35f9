/** Only one machine writes to an object store. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { confirmClaim, readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir, anEnrolledDevice, submit, testContext } from '#tests/support/board/context.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import { readPublications } from '#server/publication/stored/stored-publications.ts';
import {
  type StoredBoard,
  aBoardWith,
  aStoredBoard,
  expectComplete,
  payloadsIn,
  payloadsOf,
  readBack,
} from '#tests/support/store/stored-board.ts';

/** Makes another machine the writer, without an upload by it. */
async function replaceWriter({ s3, ctx }: StoredBoard, dataDir = aDataDir()): Promise<void> {
  const before = await readClaim(s3.store);
  if (before === null) throw new Error('No claim');
  await takeOverClaim(s3.store, { before, dataDir, logSize: 1, now: ctx.now() });
}

/** Another board that becomes the writer, and uploads what it has. */
async function aNewWriter(old: StoredBoard, ctx = testContext()): Promise<StoredBoard> {
  await replaceWriter(old, ctx.config.dataDir);
  const board = await aStoredBoard(ctx, { s3: old.s3 });
  board.publish();
  await board.upload();
  await board.upload();
  return board;
}

describe('another writer', () => {
  test.each([[true], [false]])(
    'stops this one for good (conditional writes: %s)',
    async (conditional) => {
      const board = await aStoredBoard(await aBoardWith('ada'), { conditional });
      board.publish();
      await board.upload();
      const before = await readClaim(board.s3.store);
      if (before === null) throw new Error('No claim');
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
    if (before === null) throw new Error('No claim');
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

describe('a request of the old writer that arrives late', () => {
  test('deletes nothing of the new one', async () => {
    const old = await aStoredBoard(await aBoardWith('ada'));
    const ctx = await aBoardWith('bob');
    const next = Promise.withResolvers<StoredBoard>();
    let isPublished = false;
    let isHeld = false;
    old.s3.decide(({ method, key }) => {
      isPublished ||= method === 'PUT' && key === 'current';
      if (isHeld || !isPublished || key !== '') return 'pass';
      isHeld = true;
      void aNewWriter(old, ctx).then(next.resolve, next.reject);
      return { until: next.promise };
    });
    old.publish();
    await old.upload();
    await expectComplete(await next.promise);
    expect(old.fenced).toHaveLength(1);
  });

  test('replaces no publication of the new one', async () => {
    const old = await aStoredBoard(await aBoardWith('ada'));
    old.publish();
    await old.upload();
    const ctx = await aBoardWith('bob');
    const next = Promise.withResolvers<StoredBoard>();
    const late = `publications/${old.publish()}`;
    let isHeld = false;
    old.s3.decide(({ method, key }) => {
      if (isHeld || method !== 'PUT' || key !== late) return 'pass';
      isHeld = true;
      void aNewWriter(old, ctx).then(next.resolve, next.reject);
      return { until: next.promise };
    });
    await old.upload();
    await next.promise;
    const [read] = await readBack(old.s3);
    const [stored] = readPublications(ctx.store);
    expect(read?.data).toEqual(stored?.data);
  });

  test('puts no checkpoint in the store that nobody can continue', async () => {
    const board = await aStoredBoard(await aBoardWith('ada'));
    board.publish();
    await board.upload();
    const before = await board.s3.store.get('log/checkpoint');
    growLog(board.ctx, 3);
    board.publish();
    const replaced: Promise<void>[] = [];
    board.s3.decide(({ method, key }) => {
      if (method !== 'PUT' || key !== 'log/checkpoint') return 'pass';
      if (replaced[0]) return { until: replaced[0] };
      replaced.push(replaceWriter(board));
      return 'break';
    });
    await board.upload();
    await Promise.all(replaced);
    expect(await board.s3.store.get('log/checkpoint')).toEqual(before);
  });
});

test('a replaced writer does not start again, also if it cannot reach the store', async () => {
  const board = await aStoredBoard(await aBoardWith('ada'));
  await board.upload();
  await replaceWriter(board);
  await board.upload();
  expect(board.fenced).toHaveLength(1);
  board.s3.decide(() => 'break');
  await expect(board.restart().claim()).rejects.toThrow('Another machine became the writer');
});

test('a replaced writer stops also if it cannot note that', async () => {
  const board = await aStoredBoard(await aBoardWith('ada'));
  await board.upload();
  await replaceWriter(board);
  rmSync(board.ctx.config.dataDir, { recursive: true });
  await board.upload();
  expect(board.fenced).toHaveLength(1);
});

test('a new writer with a shorter log leaves no payloads of the old one', async () => {
  const ctx = await aBoardWith('ada');
  growLog(ctx, 600);
  const old = await aStoredBoard(ctx);
  old.publish();
  await old.upload();
  old.uploader.stop();
  const next = await aNewWriter(old, await aBoardWith('bob'));
  expect(await payloadsIn(next)).toEqual(payloadsOf(next.ctx));
});
