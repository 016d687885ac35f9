/** The daily Parquet file of the built server, in a real object store. */
import { expect, test } from 'vitest';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { setProfile } from '#tests/support/http/modes.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

test('is uploaded after a start, and gone when an operator who hides gets the answer', async () => {
  const s3 = await startS3();
  whenOver(() => void s3.stop());
  const files = () => s3.keys('parquet/');
  const earlier = await startServer();
  const { dataDir, url: baseUrl } = earlier;
  const ada = await earlier.signIn('ada');
  const device = await enrollOverHttp(earlier, ada);
  const payload = aLivePayload(earlier, bucketsOfDays(3, daysAgo(3)));
  expect((await postSnapshot(earlier, await device.seal(payload))).status).toBe(201);
  await earlier.stop();

  const env = { ...s3.env, BASE_URL: baseUrl, PORT: new URL(baseUrl).port };
  const server = await startServer({ dataDir, env });
  const both = await eventually(files, (keys) => keys.length === 2);
  expect(both).toEqual([`parquet/${daysAgo(0)}.parquet`, 'parquet/latest.parquet']);
  await eventually(
    async () => server.log(),
    (log) => log.includes('"parquet_uploaded"'),
  );

  await setProfile(server, ada, { privacy_mode: 'anonymous' });
  expect(await files()).toEqual([]);
  expect(await server.stop()).toBe(0);
});
