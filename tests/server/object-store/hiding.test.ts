/** What is hidden is gone from the object store. */
import { describe, expect, test } from 'vitest';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import {
  aBoardWith,
  aStoredBoard,
  expectComplete,
  objectOf,
  payloadsIn,
  payloadsOf,
  textsIn,
} from '#tests/support/store/stored-board.ts';

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
      await board.uploader.settled();
      expect(await board.s3.keys('publications/')).not.toContain(`publications/${before}`);
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

test('hiding right after a takeover deletes payloads that the old writer stored', async () => {
  const ctx = await aBoardWith('ada', 'bob');
  const old = await aStoredBoard(ctx);
  old.publish();
  await old.upload();
  old.uploader.stop();
  const before = await readClaim(old.s3.store);
  const { dataDir } = ctx.config;
  await takeOverClaim(old.s3.store, { before, dataDir, logSize: 1, now: ctx.now() });
  old.s3.decide(({ method, key }) => {
    return method === 'PUT' && key.startsWith('publications/') ? 403 : 'pass';
  });
  const next = await aStoredBoard(ctx, { s3: old.s3 });
  await next.upload();
  hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
  next.publishHiding();
  await next.upload();
  expect(await next.s3.keys('log/payload/')).toEqual([]);
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
  expect((await objectOf(board, 'log/checkpoint')).toString()).toBe(ctx.checkpoints.shown?.note);
});
