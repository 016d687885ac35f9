/** What a board copies to its object store, and when. */
import { describe, expect, test } from 'vitest';
import { parseCheckpoint } from '#core/domain/tlog/checkpoint.ts';
import { parseNote } from '#core/domain/tlog/note.ts';
import { tilePath } from '#core/domain/tlog/tile.ts';
import { newTiles } from '#server/object-store/log-objects.ts';
import { readTile } from '#server/public-log/tiles.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { growLog } from '#tests/support/tlog/board-checkpoints.ts';
import { readPublications } from '#server/publication/stored/stored-publications.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, submit } from '#tests/support/board/context.ts';
import {
  aBoardWith,
  aStoredBoard,
  expectComplete,
  objectOf,
  payloadsIn,
  payloadsOf,
  readBack,
} from '#tests/support/store/stored-board.ts';

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

test('what readers may still need stays until they have followed, unless something is hidden', async () => {
  const board = await aStoredBoard(await aBoardWith('ada', 'bob'), { followMs: 60_000 });
  board.publish();
  await board.upload();
  const before = await board.s3.keys('facts/');
  const device = await anEnrolledDevice(board.ctx, 'bob');
  await submit(board.ctx, device, bucketsOfDays(1, '2026-02-21', { output: 5_000 }));
  board.publish();
  await board.upload();
  const after = await board.s3.keys('facts/');
  expect(after).toEqual(expect.arrayContaining(before));
  expect(after.length).toBeGreaterThan(before.length);
  hideOperator(board.ctx, { kind: 'hide', name: 'ada', reason: 'A reason' });
  await board.uploader.hideBefore(board.publishHiding());
  await board.uploader.settled();
  await expectComplete(board);
});

test('what the store lost is uploaded again by the next process', async () => {
  const board = await aStoredBoard(await aBoardWith('ada', 'bob'));
  board.publish();
  await board.upload();
  const [operator = ''] = await board.s3.keys('facts/operators/');
  const [publication = ''] = await board.s3.keys('publications/');
  for (const lost of [operator, publication, 'log/payload/000']) {
    await board.s3.store.delete([lost]);
    board.restart();
    await board.upload();
    expect(await board.s3.keys(lost)).toEqual([lost]);
  }
  await expectComplete(board);
  await readBack(board.s3);
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

  test('loses only the answer to a write of current: the next upload replaces it', async () => {
    const board = await aStoredBoard(await aBoardWith('ada'));
    board.publish();
    await board.upload();
    board.s3.decide(({ method, key }) => {
      return method === 'PUT' && key === 'current' ? 'break_answer' : 'pass';
    });
    board.publish();
    await board.upload();
    expect(board.uploader.status.state).toBe('failing');
    board.s3.decide(() => 'pass');
    const id = board.publish();
    await board.upload();
    expect(board.uploader.status.state).toBe('ok');
    expect((await board.current()).publication).toBe(id);
    await expectComplete(board);
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

test('a clock that is set back does not make `current` older', async () => {
  const board = await aStoredBoard(await aBoardWith('ada'));
  board.publish();
  await board.upload();
  const before = await board.current();
  board.ctx.now = () => new Date(Date.parse(before.written_at) - 60_000);
  board.publish();
  await board.upload();
  const current = await board.current();
  expect(current.publication).toBeGreaterThan(before.publication);
  expect(Date.parse(current.written_at)).toBeGreaterThan(Date.parse(before.written_at));
});
