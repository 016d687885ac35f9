import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUBLICATION_FORMAT } from '#db/publications.ts';
import type { Current } from '#server/object-store/current.ts';
import { CurrentWatch, ReaderError } from '#server/reader/current-watch.ts';
import { type S3, startS3 } from '#tests/support/store/s3-server.ts';

let s3: S3;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

const aCurrent = (publication: number, over: Partial<Current> = {}): Current => ({
  format: 1,
  version: '0.17.0',
  writer: 'one',
  base_url: 'https://bench.example.org',
  access: 'open',
  publication,
  publication_format: PUBLICATION_FORMAT,
  kept: [publication],
  chain: [publication],
  least: 1,
  facts: 'facts/index/one',
  written_at: '2026-11-29T10:00:00.000Z',
  log_generation: 1,
  log_size: 1,
  ...over,
});

const write = (current: object) => s3.store.put('current', Buffer.from(JSON.stringify(current)));

/** A watch that asks only when a test calls `look`. */
function aWatch() {
  const seen: number[] = [];
  const events: string[] = [];
  const unreadable: Error[] = [];
  const clock = { ms: 0 };
  const note = (event: string, { fault = '' }: Record<string, unknown> = {}) => {
    events.push(`${event} ${String(fault)}`.trim());
  };
  const watch = new CurrentWatch({
    store: s3.store,
    nowMs: () => clock.ms,
    onCurrent: ({ publication }) => seen.push(publication),
    onLook: () => undefined,
    onUnreadable: (error) => unreadable.push(error),
    logger: { info: note, warn: note },
  });
  return { watch, clock, seen, events, unreadable };
}

describe('CurrentWatch', () => {
  test('reports each newer current once', async () => {
    const { watch, seen, events } = aWatch();
    await write(aCurrent(4));
    await watch.look();
    await watch.look();
    await write(aCurrent(5));
    await watch.look();

    expect([seen, events]).toEqual([[4, 5], []]);
    expect(watch.current?.publication).toBe(5);
  });

  test('is confirmed for 30 seconds after the request that confirmed it, and again later', async () => {
    const { watch, clock, events } = aWatch();
    expect(watch.isConfirmed).toBe(false);
    await write(aCurrent(6));
    await watch.look();
    s3.decide(() => 'break');
    clock.ms = 30_000;
    await watch.look();
    expect(watch.isConfirmed).toBe(true);
    clock.ms = 30_001;
    expect(watch.isConfirmed).toBe(false);
    s3.decide(() => 'pass');
    await watch.look();

    expect([watch.isConfirmed, watch.ageMs]).toEqual([true, 0]);
    expect(events).toEqual(['store_unconfirmed unreachable', 'store_recovered']);
  });

  test('counts the time from the request, not from its answer', async () => {
    const { watch, clock } = aWatch();
    await write(aCurrent(7));
    s3.decide(() => {
      clock.ms = 29_000;
      return 'pass';
    });
    await watch.look();
    s3.decide(() => 'pass');

    expect(watch.ageMs).toBe(29_000);
  });

  test('does not take an earlier current for a confirmation', async () => {
    const { watch, clock, seen, events } = aWatch();
    await write(aCurrent(8));
    await write(aCurrent(9, { least: 9 }));
    await watch.look();
    clock.ms = 1000;
    const earlier = [
      aCurrent(8, { least: 9 }),
      aCurrent(9, { least: 8 }),
      aCurrent(9, { least: 9, written_at: '2026-11-29T09:59:59.999Z' }),
    ];
    for (const current of earlier) {
      await write(current);
      await watch.look();
      expect.soft(watch.ageMs).toBe(1000);
    }

    expect(seen).toEqual([9]);
    expect(events).toEqual(['store_unconfirmed outdated']);
  });

  test('reports a format that this program cannot read', async () => {
    const { watch, seen, unreadable } = aWatch();
    await write(aCurrent(10, { version: '9.9.9', publication_format: PUBLICATION_FORMAT + 1 }));
    await watch.look();

    expect(seen).toEqual([]);
    expect(unreadable.map(({ message }) => message)).toEqual([
      'The board publishes in a format that this program cannot read. Use the version of the board, which is 9.9.9.',
    ]);
    await write({ ...aCurrent(10), format: 2 });
    await expect(aWatch().watch.start()).rejects.toThrow(ReaderError);
  });

  test('does not start with wrong credentials', async () => {
    const { watch } = aWatch();
    s3.decide(() => 403);
    await expect(watch.start()).rejects.toThrow(ReaderError);
    s3.decide(() => 'pass');
  });

  test('waits for a store that cannot be reached, or that is empty', async () => {
    const { watch, events } = aWatch();
    s3.decide(() => 503);
    await watch.start();
    watch.stop();
    s3.decide(() => 'pass');
    await s3.store.delete(['current']);
    await watch.look();

    expect(watch.isConfirmed).toBe(false);
    expect(events).toEqual(['store_unconfirmed unreachable', 'store_unconfirmed missing']);
  });
});
