import { describe, expect, test } from 'vitest';
import { readReaderConfig } from '#server/config/reader-config.ts';

const STORE = {
  OBJECT_STORE_URL: 'https://s3.example.org/boards/one',
  OBJECT_STORE_ACCESS_KEY_ID: 'id',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'keep-to-yourself',
};

describe('readReaderConfig()', () => {
  test('needs only the store and the address of the writer', () => {
    const config = readReaderConfig({ ...STORE, WRITER_URL: 'http://10.0.0.5:4321' });
    expect(config).toMatchObject({
      objectStore: { bucket: 'boards', prefix: 'one/' },
      writerUrl: 'http://10.0.0.5:4321',
      baseUrl: null,
      host: '127.0.0.1',
      port: 4321,
      idleSettings: [],
    });
  });

  test('may listen on all addresses without BASE_URL', () => {
    expect(readReaderConfig({ ...STORE, HOST: '0.0.0.0', PORT: '80' })).toMatchObject({
      host: '0.0.0.0',
      port: 80,
      writerUrl: null,
    });
  });

  test('names settings that have no effect on a reader', () => {
    const given = { ...STORE, BASE_URL: 'not read', BOARD_NAME: 'Mine', DATA_DIR: '/srv/data' };
    expect(readReaderConfig(given).idleSettings).toEqual([
      'BASE_URL (a reader takes it from the board)',
      'BOARD_NAME (a reader takes it from the board)',
    ]);
  });

  test.each([
    [{ ...STORE, OBJECT_STORE_URL: '' }, 'OBJECT_STORE_URL: must be set to the object store'],
    [{ ...STORE, OBJECT_STORE_URL: 'bucket' }, 'OBJECT_STORE_URL: must be the address of a bucket'],
    [{ ...STORE, OBJECT_STORE_ACCESS_KEY_ID: '' }, 'OBJECT_STORE_ACCESS_KEY_ID: must be set'],
    [
      { ...STORE, WRITER_URL: 'writer:4321/board' },
      'WRITER_URL: must be an address without a path',
    ],
  ])('rejects %o', (environment, message) => {
    expect(() => readReaderConfig(environment)).toThrow(message);
  });
});
