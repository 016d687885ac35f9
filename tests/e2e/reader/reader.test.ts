/** A writer, a real object store and two readers. */
import { afterAll, expect, test } from 'vitest';
import { aFilledFolder } from '#tests/support/board/filled-folder.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { PUBLIC_URL, askAs, startReader } from '#tests/support/store/reader.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

test('tries', async () => {
  const s3 = await startS3();
  const writer = await startServer({
    dataDir: aFilledFolder(52),
    env: { ...s3.env, BASE_URL: PUBLIC_URL, REFRESH_SECONDS: '3600', TRUST_PROXY: 'loopback' },
  });
  await eventually(() => s3.keys(''), (keys) => keys.includes('current'));
  console.log((await s3.keys('')).slice(0, 60).join('\n'));
  const started = performance.now();
  const reader = await startReader(s3, writer);
  console.log('started', performance.now() - started);
  const page = await eventually(() => askAs(reader, '/'), ({ status }) => status === 200);
  console.log('shown', performance.now() - started, page.status, page.headers, page.bytes.length);
  console.log(reader.log());
  console.log(writer.log().slice(0, 3000));
  for (const address of ['/', '/readyz', '/operators/op-3', '/compare?with=op-1,op-2', '/log/checkpoint', '/transparency', '/login']) {
    const [a, b] = [await askAs(writer, address), await askAs(reader, address)];
    console.log(address, a.status, b.status, a.bytes.equals(b.bytes), a.headers, b.headers, b.bytes.toString().slice(0, 100));
  }
  console.log(reader.log());
  await s3.stop();
});
