/** The daily Parquet file of the built server, in a real object store. */
import { expect, test } from 'vitest';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';
import { metricsUrl, samplesIn } from '#tests/support/http/metrics.ts';
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

  const env = { METRICS_LISTEN: '0', ...s3.env, BASE_URL: baseUrl, PORT: new URL(baseUrl).port };
  const server = await startServer({ dataDir, env });
  const both = await eventually(files, (keys) => keys.length === 2);
  expect(both).toEqual([`parquet/${daysAgo(0)}.parquet`, 'parquet/latest.parquet']);
  await eventually(
    async () => server.log(),
    (log) => log.includes('"parquet_uploaded"'),
  );
  const metrics = await fetch(metricsUrl(server.log()));
  expect(samplesIn(await metrics.text())).toMatchObject({
    opbench_parquet_failing: 0,
    opbench_parquet_uploaded_timestamp_seconds: expect.closeTo(Date.now() / 1000, -3) as number,
  });
  await eventually(
    () => s3.keys('current'),
    (keys) => keys.length === 1,
  );
  const doctor = await runAdmin(['doctor'], { ...env, DATA_DIR: dataDir });
  expect(doctor.stdout).toContain(`object store: the daily Parquet file is of ${daysAgo(0)}`);

  await setProfile(server, ada, { privacy_mode: 'anonymous' });
  expect(await files()).toEqual([]);
  expect(await server.stop()).toBe(0);
});
