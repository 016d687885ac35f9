import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isSecret, readConfig } from '#server/config/config.ts';
import { aDataDir } from '#tests/support/board/context.ts';

const CREDENTIALS = {
  OBJECT_STORE_ACCESS_KEY_ID: 'AKID',
  OBJECT_STORE_SECRET_ACCESS_KEY: 'hunter2',
};

function storeAt(OBJECT_STORE_URL: string) {
  return readConfig({ OBJECT_STORE_URL, ...CREDENTIALS }).objectStore;
}

describe('OBJECT_STORE_URL', () => {
  test.each([
    [
      'https://s3.example.org/boards/one/two?region=eu-1',
      { endpoint: 'https://s3.example.org', bucket: 'boards', prefix: 'one/two/', region: 'eu-1' },
    ],
    ['https://s3.example.org/boards/', { bucket: 'boards', prefix: '', region: 'auto' }],
    ['http://127.0.0.1:9000/boards', { endpoint: 'http://127.0.0.1:9000' }],
    ['http://[::1]:9000/boards', { endpoint: 'http://[::1]:9000' }],
    ['http://10.1.2.3/boards', { endpoint: 'http://10.1.2.3' }],
    ['http://store:9000/boards', { endpoint: 'http://store:9000' }],
  ])('%s', (url, parts) => {
    expect(storeAt(url)).toMatchObject(parts);
  });

  test.each([
    'https://s3.example.org',
    's3://boards',
    'https://s3.example.org/boards?key=x',
    'https://s3.example.org/boards#x',
    'https://s3.example.org/bo ards',
    'not a URL',
  ])('%s is rejected with an example', (url) => {
    expect(() => storeAt(url)).toThrow('OBJECT_STORE_URL: must be the address of a bucket');
  });

  test('must be encrypted outside private networks', () => {
    expect(() => storeAt('http://s3.example.org/boards')).toThrow('must begin with https://');
    expect(() => storeAt('http://8.8.8.8/boards')).toThrow('must begin with https://');
  });

  test('must not contain credentials, which no message repeats', () => {
    const read = () => storeAt('https://AKID:hunter2@s3.example.org/boards');
    expect(read).toThrow('OBJECT_STORE_URL: must not contain credentials');
    expect(read).not.toThrow('hunter2');
  });

  test('is off if it is not set', () => {
    const config = readConfig(CREDENTIALS);
    expect(config.objectStore).toBe(null);
    expect(config.idleSettings.join()).toContain('OBJECT_STORE_ACCESS_KEY_ID');
  });
});

describe('credentials', () => {
  const OBJECT_STORE_URL = 'https://s3.example.org/boards';

  test('can be in files', () => {
    const folder = aDataDir();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    expect(
      readConfig({
        OBJECT_STORE_URL,
        OBJECT_STORE_ACCESS_KEY_ID_FILE: file('id', 'AKID\n'),
        OBJECT_STORE_SECRET_ACCESS_KEY_FILE: file('secret', 'hunter2\n'),
      }).objectStore,
    ).toMatchObject({ accessKeyId: 'AKID', secretAccessKey: 'hunter2' });
    const unreadable = { OBJECT_STORE_SECRET_ACCESS_KEY_FILE: join(folder, 'missing') };
    expect(() => readConfig({ OBJECT_STORE_URL, ...unreadable })).toThrow('cannot be read');
  });

  test('must be set, and only once', () => {
    expect(() => readConfig({ OBJECT_STORE_URL })).toThrow(
      'OBJECT_STORE_SECRET_ACCESS_KEY: must be set because OBJECT_STORE_URL is set',
    );
  });

  test('are kept out of notes', () => {
    for (const [name, value] of Object.entries(CREDENTIALS)) {
      expect(isSecret(name, value)).toBe(true);
      expect(readConfig({ OBJECT_STORE_URL, ...CREDENTIALS }).given[name]).toBe(null);
    }
  });
});
