import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { objectStoreChecks } from '#server/admin/doctor/object-store.ts';
import { readClaim, takeOverClaim } from '#server/object-store/writer-claim.ts';
import { aDataDir } from '#tests/support/board/context.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';
import { aBoardWith, aStoredBoard } from '#tests/support/store/stored-board.ts';

let s3: S3;
beforeEach(async () => void (s3 = await startS3()));
afterEach(() => s3.stop());

/** What doctor says of the store, by severity. */
async function checks(dataDir: string, config: S3['config'] | null = s3.config) {
  const found = await objectStoreChecks({ dataDir, objectStore: config }, []);
  return found.map(({ severity, text }) => `${severity}: ${text}`);
}

describe('objectStoreChecks()', () => {
  test('says what the store can do, who writes, and when', async () => {
    const ctx = await aBoardWith('ada');
    const board = await aStoredBoard(ctx, { s3 });
    board.publish();
    await board.upload();
    expect(await checks(ctx.config.dataDir)).toEqual([
      'ok: it accepts the credentials, and objects can be written and deleted',
      'ok: it supports conditional writes',
      'ok: the bucket keeps no old versions of objects',
      expect.stringMatching(/^ok: this machine is the writer since /),
      expect.stringMatching(/^ok: publication 1 was written .* ago$/),
      'warning: the daily Parquet file is missing',
    ]);
    expect(await s3.keys('probe')).toEqual([]);
  });

  test('finds another writer', async () => {
    const ctx = await aBoardWith('ada');
    const board = await aStoredBoard(ctx, { s3 });
    await board.upload();
    const before = await readClaim(s3.store);
    if (before === null) throw new Error('There is no claim');
    await takeOverClaim(s3.store, { before, dataDir: aDataDir(), logSize: 1, now: ctx.now() });
    expect((await checks(ctx.config.dataDir)).join()).toContain('problem: another machine is');
  });

  test('warns of a store that ignores conditional writes, and of an empty one', async () => {
    const plain = await startS3({ conditional: false });
    const found = await checks(aDataDir(), plain.config);
    await plain.stop();
    expect(found).toContain('warning: it ignores conditional writes');
    expect(found).toContain('warning: nothing is published to it yet');
  });

  test.each([
    ['12:00', ['2026-03-10', 'latest'], 'ok: the daily Parquet file is of 2026-03-10'],
    ['00:59', ['2026-03-09', 'latest'], 'ok: the daily Parquet file is of 2026-03-09'],
    [
      '01:01',
      ['2026-03-09', 'latest'],
      'warning: the daily Parquet file is old: it is of 2026-03-09',
    ],
    ['12:00', ['2026-03-10'], 'warning: the daily Parquet file was not uploaded completely'],
    [
      '12:00',
      ['2026-03-09', '2026-03-10', 'latest'],
      'warning: the daily Parquet file was not uploaded completely',
    ],
  ])('at %s, of the Parquet files %j, it says %s', async (time, names, text) => {
    const board = await aStoredBoard(await aBoardWith('ada'), { s3 });
    board.publish();
    await board.upload();
    for (const name of names) await s3.store.put(`parquet/${name}.parquet`, Buffer.from('PAR1'));
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(`2026-03-10T${time}Z`) });
    const found = await checks(board.ctx.config.dataDir).finally(() => vi.useRealTimers());
    expect(found.filter((line) => line.includes('Parquet'))).toEqual([text]);
  });

  test('expects no Parquet file of a board for members', async () => {
    const ctx = await aBoardWith('ada');
    ctx.config.access = { ...ctx.config.access, read: 'members' };
    const board = await aStoredBoard(ctx, { s3 });
    board.publish();
    await board.upload();
    expect((await checks(ctx.config.dataDir)).join()).not.toContain('Parquet');
  });

  test.each([
    [403, 'problem: The object store answered 403 Refused.'],
    ['break', 'problem: The object store cannot be reached (ECONNRESET).'],
  ] as const)('reports a store that answers %s', async (fate, text) => {
    s3.decide(() => fate);
    expect(await checks(aDataDir())).toEqual([text]);
  });

  test('says nothing without an object store', async () => {
    expect(await checks(aDataDir(), null)).toEqual([]);
  });
});
