import { describe, expect, test } from 'vitest';
import { KeptPublications, type Publication } from '#server/publication/read/publication.ts';

const MIB = 1024 * 1024;

const aPublication = (id: number, bytes: number) =>
  ({ id, bytes, hasVersion: () => false }) as Partial<Publication> as Publication;

/** Which of this many publications are kept, the first of them planned. */
function keptOf(bytes: number, between: number): number[] {
  const kept = new KeptPublications();
  kept.add(aPublication(1, bytes), true);
  const ids = Array.from({ length: between }, (_, at) => at + 2);
  for (const id of ids) kept.add(aPublication(id, bytes), false);
  return [1, ...ids].filter((id) => kept.byId(id));
}

describe('KeptPublications', () => {
  test('keeps three planned ones, and nothing older', () => {
    const kept = new KeptPublications();
    for (const id of [1, 2, 3]) kept.add(aPublication(id, 1), false);
    for (const id of [4, 5, 6]) kept.add(aPublication(id, 1), true);
    kept.add(aPublication(7, 1), false);
    kept.add(aPublication(8, 1), true);

    const ids = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(ids.filter((id) => kept.byId(id))).toEqual([5, 6, 7, 8]);
  });

  test('keeps others if they use little memory, and always three', () => {
    expect(keptOf(1 * MIB, 40)).toHaveLength(41);
    expect(keptOf(1, 200)).toHaveLength(101);
    expect(keptOf(20 * MIB, 40)).toEqual([1, 36, 37, 38, 39, 40, 41]);
    expect(keptOf(500 * MIB, 40)).toEqual([1, 39, 40, 41]);
  });
});
