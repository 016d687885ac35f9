import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { routeNames } from '#server/http/routes/route-name.ts';

const routeOf = routeNames(ROUTES);

/** Pages that nobody asks for by an address of theirs. */
const UNASKED = ['/404', '/500'];

/** The addresses of all pages, with `somebody` for each parameter. */
const ADDRESSES = globSync('src/pages/**/*.{astro,ts}')
  .map((file) => file.replaceAll('\\', '/').slice('src/pages'.length))
  .map((path) => path.replace(/\.(?:astro|ts)$/, '').replace(/\/index$/, '') || '/')
  .filter((path) => !UNASKED.includes(path))
  .map((path) => path.replaceAll(/\[[^\]]+\]/g, 'somebody'));

describe('routeNames()', () => {
  test('names every page and endpoint, and nobody in it', () => {
    expect(ADDRESSES.length).toBeGreaterThan(80);
    const names = ADDRESSES.map((address) => [address, routeOf(address)] as const);

    expect(names.filter(([, name]) => name === 'other')).toEqual([]);
    expect(names.filter(([, name]) => name.includes('somebody'))).toEqual([]);
  });

  test.each([
    ['/', '/'],
    ['/?q=ada', '/'],
    ['/methodology.md', '/methodology.md'],
    ['/operators/ada.md', '/operators/*'],
    ['/operators/ada?with=bea', '/operators/*'],
    ['/api/v1/operators/ada/history?x=1', '/api/v1/operators/{codename}/history'],
    ['/api/v1/devices/6f0f6a4e', '/api/v1/devices/{id}'],
    ['/opbench-1.2.3.tgz', '/opbench-*.tgz'],
    ['/sitemap-2.xml', '/sitemap-*.xml'],
    ['/_astro/style.css', '/_astro/*'],
    ['/ada@example.org', 'other'],
    ['/ada@example.org/x', 'other'],
    ['/ada.md', 'other'],
    ['/api/v1/secret', 'other'],
    ['http://ada.example/operators/ada', 'other'],
    ['*', 'other'],
    ['', 'other'],
  ])('calls %s %s', (target, name) => {
    expect(routeOf(target)).toBe(name);
  });
});
