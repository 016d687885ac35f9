import { describe, expect, test } from 'vitest';
import type { Sitemap } from '#core/domain/board/sitemap.ts';
import { sitemapXml } from '#server/feeds/sitemap.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { sitemapFaults, sitemapIndexFaults, textsOf } from '#tests/support/pages/xml.ts';

const baseUrl = 'https://board.example';
const modified = '2026-03-10T09:00:00.000Z';

/** A sitemap with the given number of pages, in chunks of two. */
function aSitemap(total: number): Sitemap {
  const paths = Array.from({ length: total }, (_, at) => `/operators/op-${at}`);
  return {
    total,
    async *pieces(from, to) {
      for (let at = from; at < Math.min(to, total); at += 2) {
        yield paths.slice(at, Math.min(at + 2, to)).map((path) => ({ path, modified }));
      }
    },
  };
}

const locations = (xml: string) => textsOf(xml, 'loc').map((loc) => loc.replace(baseUrl, ''));

describe('sitemapXml()', () => {
  test('is one file if it can contain all addresses', async () => {
    const xml = await sitemapXml(aSitemap(5), { baseUrl, limit: 5 });

    expect(await sitemapFaults(xml)).toEqual([]);
    expect(locations(xml)).toEqual([0, 1, 2, 3, 4].map((at) => `/operators/op-${at}`));
    expect(textsOf(xml, 'lastmod')).toEqual(Array(5).fill(modified));
    expect(xml).toContain('<loc>https://board.example/operators/op-0</loc>');
  });

  test('is otherwise an index of parts that contain each address once', async () => {
    const file = { baseUrl, limit: 5 };
    const index = await sitemapXml(aSitemap(11), file);
    const numbers = ['1', '2', '3'];
    const parts = await Promise.all(
      numbers.map((part) => sitemapXml(aSitemap(11), { ...file, part })),
    );

    expect(await sitemapIndexFaults(index)).toEqual([]);
    expect(locations(index)).toEqual(numbers.map((part) => `/sitemap-${part}.xml`));
    expect(await Promise.all(parts.map(sitemapFaults))).toEqual([[], [], []]);
    expect(parts.map((part) => locations(part).length)).toEqual([5, 5, 1]);
    expect(new Set(parts.flatMap(locations)).size).toBe(11);
  });

  test.each(['0', '4', '01', '1.5', '-1', '', 'x', '9999999'])('has no part %s', async (part) => {
    const asked = sitemapXml(aSitemap(11), { baseUrl, limit: 5, part });

    await expect(asked).rejects.toThrow(refusal('not_found'));
  });

  test('has no parts if one file contains all', async () => {
    const asked = sitemapXml(aSitemap(5), { baseUrl, limit: 5, part: '1' });

    await expect(asked).rejects.toThrow(refusal('not_found'));
  });

  test('escapes special characters of addresses', async () => {
    const path = `/leaderboard/30d/yield?tool=a&trust=all`;
    const sitemap = {
      total: 1,
      async *pieces() {
        yield [{ path, modified: null }];
      },
    };
    const xml = await sitemapXml(sitemap, { baseUrl });

    expect(await sitemapFaults(xml)).toEqual([]);
    expect(locations(xml)).toEqual([path]);
    expect(xml).not.toContain('lastmod');
  });
});
