import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WriterAssets, isStored, logPart } from '#server/reader/stored-files.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';

let s3: S3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

describe('logPart()', () => {
  test('has the headers of the part', async () => {
    const lines = '{"log_index":3,"salt":"a"}\n{"log_index":12,"salt":"b"}\n';
    await s3.store.put('log/payload/000', Buffer.from(lines));
    await s3.store.put('log/tile/0/000', Buffer.alloc(32));
    const payload = await logPart(s3.store, '/log/payload/000');
    const tile = await logPart(s3.store, '/log/tile/0/000');

    expect(await payload.text()).toBe(lines);
    expect(Object.fromEntries(payload.headers)).toMatchObject({
      'cache-control': 'public, max-age=60',
      'content-type': 'application/x-ndjson',
      etag: expect.stringMatching(/^W\//) as string,
    });
    expect(Object.fromEntries(tile.headers)).toEqual({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/octet-stream',
    });
  });

  test('leaves what the store does not have to the writer', async () => {
    await expect(logPart(s3.store, '/log/tile/0/000.p/9')).rejects.toMatchObject({ fault: 'live' });
  });

  test('is unavailable while the store does not answer', async () => {
    s3.decide(() => 403);
    const refused = logPart(s3.store, '/log/checkpoint');
    await expect(refused).rejects.toMatchObject({ code: 'service_unavailable' });
    s3.decide(() => 'pass');
  });

  test.each([
    ['/log/checkpoint', true],
    ['/log/2/tile/entries/x000/001', true],
    ['/log/boards.ndjson.gz', false],
    ['/log.ndjson.gz', false],
  ])('%s is in the store: %s', (path, is) => expect(isStored(path)).toBe(is));
});

describe('WriterAssets', () => {
  test('has the files of another version, and none of its own', async () => {
    await s3.store.put('assets/_astro/page.abc.css', Buffer.from('a{}'));
    const assets = new WriterAssets(s3.store, '0.17.0');
    const path = '/_astro/page.abc.css';
    await assets.follow('0.17.0');
    expect(assets.has(path)).toBe(false);
    await assets.follow('0.18.0');
    expect([
      assets.has(path),
      assets.has('/_astro/other.css'),
      assets.has('/page.abc.css'),
    ]).toEqual([true, false, false]);
    const file = await assets.load(path);
    expect(file?.headers['Content-Type']).toBe('text/css; charset=utf-8');
    expect(String(file?.encodings.identity.bytes)).toBe('a{}');
  });
});
