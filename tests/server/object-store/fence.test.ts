/** Only one machine writes to an object store. */
import { describe, expect, test } from 'vitest';
import { confirmClaim, readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { aDataDir, anEnrolledDevice, submit } from '#tests/support/board/context.ts';
import {
  aBoardWith,
  aStoredBoard,
  expectComplete,
  payloadsIn,
  payloadsOf,
} from '#tests/support/store/stored-board.ts';

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
