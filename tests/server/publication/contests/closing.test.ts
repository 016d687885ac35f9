/** Threads that hang, and publications that are stopped in the middle. */
import { describe, expect, test } from 'vitest';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { anEnrolledDevice, query, submit, testContext } from '#tests/support/board/context.ts';
import { aPublisher, readFrom, says } from '#tests/support/board/publisher.ts';

/** A thread that runs its source with each request. */
function aThread(source: string): URL {
  const program = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (request) => { ${source} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`);
}

const BUSY = aThread('for (;;);');

describe('Publisher.close()', () => {
  test('stops the thread in the middle of a publication, without reporting an error', async () => {
    const ctx = testContext();
    const publisher = aPublisher(ctx, { workerUrl: BUSY });
    const started = publisher.start();

    await publisher.close();

    await expect(started).rejects.toThrow('thread');
    expect(ctx.errors).toEqual([]);
  });

  test('stops rendering after the current page', async () => {
    const ctx = testContext();
    const rendered: string[] = [];
    const publisher = aPublisher(ctx, {
      addresses: () => ['/', '/1', '/2', '/3'],
      render: (address, publication) => {
        rendered.push(address);
        if (address === '/1') void publisher.close();
        return says(address, publication);
      },
    });

    await publisher.start();
    await readFrom(publisher, '/1', '/2', '/3');

    await expect(publisher.publish(false)).rejects.toThrow('closed');

    expect(rendered).toEqual(['/', '/', '/1']);
    expect(ctx.errors).toEqual([]);
  });

  test('responds to operators who hide something, and no longer shows it', async () => {
    const ctx = testContext();
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
    const publisher = aPublisher(ctx);
    await publisher.start();
    const running = publisher.publish();
    const hidden = publisher.publishNow({ hides: true });

    await publisher.close();

    // It was aborted, or found in time that nothing had changed.
    await Promise.allSettled([running]);
    await expect(hidden).resolves.toBeUndefined();
    await expect(publisher.publishNow({ hides: false })).resolves.toBeUndefined();
    expect(publisher.edition).toBeNull();
    expect(ctx.errors).toEqual([]);
    expect(query(ctx, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  });
});

test('a thread that hangs is reported and replaced', async () => {
  const ctx = testContext();
  const warnings: string[] = [];
  const logger = { ...ctx.logger, warn: (event: string) => void warnings.push(event) };
  const publisher = aPublisher(ctx, { workerUrl: BUSY, logger, maxAnswerMs: 50 });

  await expect(publisher.publish()).rejects.toThrow('ended with code');
  await expect(publisher.publish()).rejects.toThrow('ended with code');

  expect(warnings).toEqual(['projection_hangs', 'projection_hangs']);
});
