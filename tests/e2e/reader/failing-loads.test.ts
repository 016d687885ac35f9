/** A reader that finds less in the object store than `current` names. */
import { expect, test } from 'vitest';
import { aFilledFolder } from '#tests/support/board/filled-folder.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';
import { type RunningReader, shown, startReader } from '#tests/support/store/reader.ts';
import { startS3 } from '#tests/support/store/s3-server.ts';

function eventsIn(reader: RunningReader, event: string): { time: string }[] {
  return reader
    .log()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as { time: string });
}

test('a reader that cannot load an update tries again, less and less often', async () => {
  const own = await startS3();
  const writer = await startServer({
    dataDir: aFilledFolder(3),
    env: { ...own.env, REFRESH_SECONDS: '3600' },
  });
  await shown(await startReader(own, writer), writer);
  own.decide(({ key }) => (key.startsWith('publications/') ? 404 : 'pass'));
  const reader = await startReader(own, writer);

  const failures = await eventually(
    async () => eventsIn(reader, 'load_failed'),
    ({ length }) => length >= 3,
  );

  const [first = 0, second = 0, third = 0] = failures.map(({ time }) => Date.parse(time));
  expect(second - first).toBeGreaterThanOrEqual(1000);
  expect(third - second).toBeGreaterThanOrEqual(2000);
  own.decide(() => 'pass');
  await shown(reader, writer);
  await own.stop();
});
