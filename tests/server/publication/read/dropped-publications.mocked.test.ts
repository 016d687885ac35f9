import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { collectGarbage } from '#server/process/collect-garbage.ts';
import { KeptPublications, type Publication } from '#server/publication/read/publication.ts';

vi.mock('#server/process/collect-garbage.ts', () => ({ collectGarbage: vi.fn() }));

const aPublication = (id: number) =>
  ({ id, bytes: 3 * 1024 * 1024, hasVersion: () => false }) as Partial<Publication> as Publication;

test('the memory of dropped publications is freed each time they are larger than 8 MiB', async () => {
  const kept = new KeptPublications();
  const collections: number[] = [];
  for (let id = 1; id <= 9; id += 1) {
    kept.add(aPublication(id), true);
    await yieldToEventLoop();
    collections.push(vi.mocked(collectGarbage).mock.calls.length);
  }
  expect(collections).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 2]);
});
