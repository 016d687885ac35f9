/** The client of the object store, against a real S3 server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { S3Store } from '#server/object-store/s3-store.ts';
import type { ObjectStoreError } from '#server/object-store/object-store.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';

const ONE = Buffer.from('one');
const TWO = Buffer.from('two');

let s3: S3;
beforeAll(async () => void (s3 = await startS3()));
afterAll(() => s3.stop());
beforeEach(() => s3.decide(() => 'pass'));

test('objects are written, read, listed and deleted', async () => {
  const { etag } = await s3.store.put('log/tile/0/000', ONE, { contentType: 'text/plain' });
  await s3.store.put('log/tile/0/001', TWO);
  expect(await s3.store.get('log/tile/0/000')).toEqual({ bytes: ONE, etag });
  expect(await s3.store.get('log/tile/0/000', { unless: etag })).toBe('unchanged');
  expect(await s3.store.get('log/tile/0/000', { unless: '"other"' })).toMatchObject({ etag });
  expect((await s3.store.list('log/')).toSorted()).toEqual(['log/tile/0/000', 'log/tile/0/001']);
  await s3.store.delete(['log/tile/0/000', 'log/tile/0/001', 'log/missing']);
  expect(await s3.store.get('log/tile/0/000')).toBe(null);
  expect(await s3.store.list('log/')).toEqual([]);
});

test('lists and deletes more than a thousand objects', async () => {
  const keys = Array.from({ length: 1050 }, (_, at) => `many/${at}`);
  await Promise.all(keys.map((key) => s3.store.put(key, ONE)));
  expect((await s3.store.list('many/')).toSorted()).toEqual(keys.toSorted());
  await s3.store.delete(keys);
  expect(await s3.store.list('many/')).toEqual([]);
});

test('what a store sends again although it has not changed is unchanged', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { etag: '"one"' }).end('one');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = new S3Store({ ...s3.config, endpoint });
  expect(await store.get('current', { unless: '"one"' })).toBe('unchanged');
  expect(await store.get('current', { unless: '"two"' })).toMatchObject({ etag: '"one"' });
});

test('a list ends where the store says so, also if it names where to continue', async () => {
  const asked: string[] = [];
  const page = `<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>one/a</Key></Contents>
    <NextContinuationToken></NextContinuationToken></ListBucketResult>`;
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (asked.length > 3) return void response.writeHead(400).end();
    response.writeHead(200, { 'content-type': 'application/xml' }).end(page);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await new S3Store({ ...s3.config, endpoint }).list('')).toEqual(['a']);
  expect(asked).toHaveLength(1);
});

describe('a conditional write', () => {
  test('needs the ETag of what it replaces', async () => {
    const { etag } = await s3.store.put('current', ONE, { ifMatch: null });
    await expect(s3.store.put('current', TWO, { ifMatch: null })).rejects.toMatchObject({
      fault: 'changed',
    });
    await s3.store.put('current', TWO, { ifMatch: etag });
    await expect(s3.store.put('current', ONE, { ifMatch: etag })).rejects.toMatchObject({
      fault: 'changed',
    });
    expect(await s3.store.get('current')).toMatchObject({ bytes: TWO });
  });

  test('succeeds if only the answer to it was lost', async () => {
    let lost = 0;
    s3.decide(({ method }) => (method === 'PUT' && (lost += 1) === 1 ? 'break_answer' : 'pass'));
    await s3.store.put('lost', ONE, { ifMatch: null });
    expect(lost).toBe(2);
    expect(await s3.store.get('lost')).toMatchObject({ bytes: ONE });
  });
});

describe('a fault', () => {
  test.each([
    [403, 'denied', 1],
    [401, 'denied', 1],
    [409, 'changed', 1],
    [400, 'refused', 1],
    [501, 'refused', 1],
    [301, 'refused', 1],
    [503, 'unreachable', 3],
    [500, 'unreachable', 3],
    ['break', 'unreachable', 3],
  ] as const)('%s is %s after %i attempts', async (fate, fault, attempts) => {
    const before = s3.requests.length;
    s3.decide(() => fate);
    await expect(s3.store.put('faulty', ONE)).rejects.toMatchObject({ fault });
    expect(s3.requests.length - before).toBe(attempts);
  });

  test('passes if the next attempt succeeds', async () => {
    let asked = 0;
    s3.decide(() => ((asked += 1) === 1 ? 503 : 'pass'));
    await s3.store.put('later', ONE);
    expect(await s3.store.get('later')).toMatchObject({ bytes: ONE });
  });

  test('is an answer that does not come in time', async () => {
    s3.decide(() => 'hang');
    await expect(s3.store.get('late', { timeoutMs: 50, attempts: 1 })).rejects.toMatchObject({
      fault: 'unreachable',
      message: 'The object store did not answer in time.',
    });
  });

  test('does not repeat the credentials', async () => {
    const wrong = new S3Store({ ...s3.config, accessKeyId: 'nobody', secretAccessKey: 'hunter2' });
    const error = await wrong.get('current').catch((error: unknown) => error as ObjectStoreError);
    expect(error).toMatchObject({ fault: 'denied' });
    expect(String((error as ObjectStoreError).message)).not.toMatch(/nobody|hunter2/);
  });

  test('is a bucket that does not exist', async () => {
    const missing = new S3Store({ ...s3.config, bucket: 'elsewhere' });
    await expect(missing.get('current')).rejects.toMatchObject({ fault: 'refused' });
    await expect(missing.list('')).rejects.toMatchObject({ fault: 'refused' });
    await expect(missing.put('current', ONE)).rejects.toMatchObject({ fault: 'refused' });
  });
});

test('a store without conditional writes ignores the condition', async () => {
  const plain = await startS3({ conditional: false });
  await plain.store.put('current', ONE);
  await plain.store.put('current', TWO, { ifMatch: null });
  expect(await plain.store.get('current')).toMatchObject({ bytes: TWO });
  await plain.stop();
});
