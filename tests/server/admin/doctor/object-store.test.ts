import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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
