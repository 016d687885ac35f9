import { describe, expect, onTestFinished, test } from 'vitest';
import { databasePath } from '#server/context.ts';
import { Publisher, type Render } from '#server/publication/publisher.ts';
import { bucketsOfDays } from '#tests/support/builders.ts';
import {
  MIGRATIONS,
  type TestContext,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/context.ts';

const WORKER = new URL('../../../src/server/publication/worker.ts', import.meta.url);

const says: Render = (address, { id }) =>
  Promise.resolve(new Response(`${address} of ${id}`, { headers: { 'Content-Type': 'text/x' } }));

function aPublisher(ctx: TestContext, render: Render = says): Publisher {
  const publisher = new Publisher({
    workerUrl: WORKER,
    worker: { databasePath: databasePath(ctx.config), migrations: MIGRATIONS },
    refreshMs: 3_600_000,
    addresses: ['/', '/board'],
    render,
    now: ctx.now,
    logger: ctx.logger,
  });
  onTestFinished(() => publisher.close());
  return publisher;
}

describe('Publisher', () => {
  test('publishes at the start, with its pages finished', async () => {
    const ctx = testContext();
    await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(10, '2026-03-01'));
    const publisher = aPublisher(ctx);
    expect(publisher.edition).toBeNull();

    await publisher.start();

    const { publication, pages } = publisher.edition ?? {};
    expect(publication).toMatchObject({ log_index: 5, as_of: '2026-03-10' });
    expect(publication?.window('30d').find('yield', 'ada')).toMatchObject({ rank: 1 });
    expect([...(pages?.keys() ?? [])]).toEqual(['/', '/board']);
    expect(pages?.get('/board')?.encodings.identity.bytes.toString()).toBe(
      `/board of ${publication?.id}`,
    );
  });

  test('keeps three publications, also over a restart', async () => {
    const ctx = testContext();
    const first = aPublisher(ctx);
    await first.start();
    await first.publish();
    await first.publish();
    await first.publish();
    await first.close();
    const second = aPublisher(ctx);

    await second.start();

    const current = second.edition?.publication.id ?? 0;
    const kept = [0, 1, 2, 3].map((back) => second.publication(current - back)?.id);
    expect(kept).toEqual([current, current - 1, current - 2, undefined]);
    expect(current).toBe(5);
  });

  test('runs once for calls at the same time', async () => {
    const rendered: string[] = [];
    const publisher = aPublisher(testContext(), (address, publication) => {
      rendered.push(address);
      return says(address, publication);
    });
    await publisher.start();
    const before = publisher.edition?.publication.id ?? 0;

    await Promise.all([publisher.publish(), publisher.publish(), publisher.publish()]);

    expect(publisher.edition?.publication.id).toBe(before + 1);
    expect(rendered).toEqual(['/', '/board', '/', '/board']);
  });

  test('keeps the edition that is public if a page of the next one fails', async () => {
    const ctx = testContext();
    const page = { status: 200 };
    const publisher = aPublisher(ctx, () => Promise.resolve(new Response('x', page)));
    await publisher.start();
    const before = publisher.edition;
    page.status = 500;

    await expect(publisher.publish()).rejects.toThrow('Rendering / answered 500');

    expect(publisher.edition).toBe(before);
    page.status = 200;
    await publisher.publish();
    expect(publisher.edition).not.toBe(before);
  });
});
