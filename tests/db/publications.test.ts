import { describe, expect, test } from 'vitest';
import { publicationsIn } from '#db/publications.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDatabase } from '#tests/support/board/database.ts';

const HEAD = { log_index: 5, as_of: '2026-03-10', ruleset: '1', generated_at: NOW };

describe('publications', () => {
  test('become visible when they are complete, newest first', () => {
    const publications = publicationsIn(aDatabase());
    const first = publications.begin(HEAD);
    const second = publications.begin(HEAD);

    expect(publications.kept()).toEqual([]);
    publications.complete(second, second);

    expect(publications.kept()).toEqual([{ id: second, ...HEAD, base: second }]);
    expect(first).toBeLessThan(second);
  });

  test('keep the newest three with their parts', () => {
    const db = aDatabase();
    const publications = publicationsIn(db);
    const ids = [1, 2, 3, 4, 5].map(() => {
      const id = publications.begin(HEAD);
      publications.addSection(id, '7d', Buffer.from('x'));
      publications.complete(id, id);
      return id;
    });

    expect(publications.kept().map(({ id }) => id)).toEqual(ids.slice(2).reverse());
    expect(db.prepare('SELECT count(*) FROM publication_parts').pluck().get()).toBe(3);
  });

  test('keep those on which the newest three build', () => {
    const publications = publicationsIn(aDatabase());
    const base = publications.begin(HEAD);
    publications.complete(base, base);
    const ids = [1, 2, 3, 4].map(() => {
      const id = publications.begin(HEAD);
      publications.complete(id, base);
      return id;
    });

    expect(publications.builtOn(base).map(({ id }) => id)).toEqual([base, ...ids]);
    const next = [1, 2, 3].map(() => {
      const id = publications.begin(HEAD);
      publications.complete(id, id);
      return id;
    });
    expect(publications.builtOn(base)).toEqual([]);
    expect(publications.kept().map(({ id }) => id)).toEqual(next.reverse());
  });

  test('never reuse an ID', () => {
    const db = aDatabase();
    const publications = publicationsIn(db);
    const id = publications.begin(HEAD);
    db.exec('DELETE FROM publications');

    expect(publications.begin(HEAD)).toBe(id + 1);
  });

  test.each([0, 1, 512 * 1024, 512 * 1024 + 1, 3 * 512 * 1024 + 7])(
    'return a window of %d bytes',
    (length) => {
      const publications = publicationsIn(aDatabase());
      const id = publications.begin(HEAD);
      const body = Uint8Array.from({ length }, (_, at) => at % 251);

      publications.addSection(id, '7d', body);
      publications.addSection(id, '30d', Buffer.from('other'));

      expect(publications.section(id, '7d').equals(body)).toBe(true);
    },
  );
});
