import { describe, expect, test } from 'vitest';
import { PUBLICATION_FORMAT } from '#db/publications.ts';
import { atOnce } from '#core/domain/text/steps.ts';
import type { Current } from '#server/object-store/current.ts';
import { publicationKey } from '#server/object-store/keys.ts';
import { packPublication } from '#server/object-store/publication-object.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import {
  type StoredTip,
  readPublications,
  storePublication,
} from '#server/publication/stored/stored-publications.ts';
import { LoadedPublications } from '#server/reader/loaded-publications.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { testContext } from '#tests/support/board/context.ts';

/** A board whose publications are objects, and a reader that counts what it loads. */
function aPublishedBoard() {
  const ctx = testContext();
  const projection = new Projection(ctx.ruleset);
  const objects = new Map<string, Buffer>();
  const loaded: string[] = [];
  let tip: StoredTip | null = null;
  const add = (name: string) => {
    anActive(ctx, name, bucketsOfDays(20, '2026-02-15', { output: 9_000 + objects.size }));
    const { head } = publish(ctx.store, projection, ctx.clock.nowMs);
    if (projection.projected) tip = storePublication(ctx.store, head.id, projection.projected, tip);
    const [newest] = ctx.store.publications.kept();
    if (!newest) throw new Error('Nothing is stored');
    const bytes = atOnce(packPublication(ctx.store, newest));
    if (bytes) objects.set(publicationKey(newest.id), bytes);
  };
  const current = (writer = 'one'): Current => {
    const kept = ctx.store.publications.kept().map(({ id }) => id);
    const chain = kept.flatMap((id) => ctx.store.publications.builtOn(id)).map(({ id }) => id);
    return {
      format: 1,
      version: '0.17.0',
      writer,
      base_url: 'https://bench.example.org',
      access: 'open',
      publication: kept[0] ?? 0,
      publication_format: PUBLICATION_FORMAT,
      kept: kept.toReversed(),
      chain: [...new Set([...chain, ...kept])].toSorted((a, b) => a - b),
      least: 1,
      facts: 'facts/index/one',
      written_at: '2026-11-29T10:00:00.000Z',
      log_generation: 1,
      log_size: 1,
    };
  };
  const publications = new LoadedPublications({
    get: (key) => {
      loaded.push(key);
      const bytes = objects.get(key);
      return Promise.resolve(bytes ? { bytes, etag: '"1"' } : null);
    },
  });
  const states = () => readPublications(ctx.store).map(({ data }) => data);
  return { add, current, publications, objects, loaded, states };
}

describe('LoadedPublications', () => {
  test('reads the same as the writer, and loads only what is new', async () => {
    const { add, current, publications, loaded, states } = aPublishedBoard();
    for (const name of ['ada', 'bob']) add(name);
    expect((await publications.load(current())).map(({ data }) => data)).toEqual(states());
    expect(loaded.splice(0)).toEqual(['publications/1', 'publications/2']);
    for (const name of ['cat', 'dan', 'eve']) {
      add(name);
      expect((await publications.load(current())).map(({ data }) => data)).toEqual(states());
      expect(loaded.splice(0)).toHaveLength(1);
    }
  });

  test('reads everything again after another machine became the writer', async () => {
    const { add, current, publications, loaded, states } = aPublishedBoard();
    for (const name of ['ada', 'bob']) add(name);
    await publications.load(current());
    loaded.splice(0);

    const again = await publications.load(current('two'));
    expect(loaded).toEqual(['publications/1', 'publications/2']);
    expect(again.map(({ data }) => data)).toEqual(states());
  });

  test('fails if one is missing, and works once it is there', async () => {
    const { add, current, publications, objects, states } = aPublishedBoard();
    for (const name of ['ada', 'bob']) add(name);
    const bytes = objects.get('publications/2') as Buffer;
    objects.delete('publications/2');
    await expect(publications.load(current())).rejects.toThrow('has no publication 2');

    objects.set('publications/2', bytes);
    expect((await publications.load(current())).map(({ data }) => data)).toEqual(states());
  });
});
