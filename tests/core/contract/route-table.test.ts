import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import { RouteTable } from '#core/contract/route-table.ts';
import { ROUTES, ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import {
  LATEST_PACKAGE_PATH,
  PROGRAM_PATH,
  RELEASE_PATH,
  packagePath,
} from '#core/schema/release.ts';

/** Pages that nobody asks for by an address of theirs. */
const UNASKED = ['/404', '/500'];

/** The addresses of all files under `src/pages`, parameters in braces. */
const FILES = globSync('src/pages/**/{.well-known/**/,}*.{astro,ts}')
  .map((file) => file.replaceAll('\\', '/').slice('src/pages'.length))
  .map((path) => path.replace(/\.(?:astro|ts)$/, '').replace(/\/index$/, '') || '/')
  .filter((path) => !UNASKED.includes(path))
  // A rest parameter may be missing.
  .flatMap((path) => (path.includes('[...') ? [path.replace(/\/\[.*/, ''), path] : [path]))
  .map((path) => path.replaceAll(/\[(?:\.\.\.)?(\w+)\]/g, '{$1}'));

describe('the table of routes', () => {
  test('has an entry for every file under src/pages, and a file for every entry', () => {
    const entries = ROUTE_TABLE.routes.filter(({ kind, prepared }) => {
      return kind !== 'probe' && prepared !== 'build';
    });

    expect(FILES.length).toBeGreaterThan(80);
    expect(entries.map(({ path }) => path as string).sort()).toEqual([...new Set(FILES)].sort());
  });

  test('declares each address once, and each is found by itself', () => {
    const paths = ROUTE_TABLE.routes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const route of ROUTE_TABLE.routes) {
      const path = route.path.replaceAll(/\{\w+\}/g, 'somebody');
      expect(ROUTE_TABLE.find(path)).toBe(route);
    }
  });

  test.each([
    PUBLIC_LOG_PATH,
    RELEASE_PATH,
    PROGRAM_PATH,
    LATEST_PACKAGE_PATH,
    packagePath('1.2.3'),
  ])('has %s, where the wire names it', (path) =>
    expect(ROUTE_TABLE.find(path)?.kind).toBe('file'),
  );

  test('has all operations of the API', () => {
    expect(ROUTE_TABLE.operations).toEqual(ROUTES);
  });

  test('counts by limits that there are, and lets nobody keep what is for one visitor', () => {
    for (const { caller, cacheSeconds, limit, prepared, sitemap } of ROUTE_TABLE.routes) {
      expect(limit in LIMITS).toBe(true);
      if (caller === 'public') continue;
      expect([prepared, sitemap]).toEqual([undefined, undefined]);
      expect(cacheSeconds === 0 || caller === 'visitor').toBe(true);
    }
  });

  test('names an address for every value of parameters that the program knows', () => {
    expect(addressesOf('/metrics/{metric}')).toContain('/metrics/snr');
    expect(addressesOf('/leaderboard/{window}/{metric}')).toContain('/leaderboard/7d/snr');
    expect(addressesOf('/operators/{codename}')).toEqual([]);
    expect(addressesOf('/')).toEqual(['/']);
  });

  test('means the first of several routes that fit', () => {
    const page = ROUTE_TABLE.find('/login/interaction/somebody/mail');
    expect(page?.path).toBe('/login/interaction/{uid}/mail');
    const table = new RouteTable([...ROUTE_TABLE.routes].reverse());
    expect(table.find('/login')?.path).toBe('/login');
  });
});

describe('what the request log calls', () => {
  test('every route: nobody is in it', () => {
    const targets = FILES.map((path) => path.replaceAll(/\{\w+\}/g, 'somebody'));
    const names = targets.map((target) => [target, ROUTE_TABLE.logName(target)] as const);

    expect(names.filter(([, name]) => name === 'other')).toEqual([]);
    expect(names.filter(([, name]) => name.includes('somebody'))).toEqual([]);
  });

  test.each([
    ['/', '/'],
    ['/?q=ada', '/'],
    ['/methodology.md', '/methodology.md'],
    ['/index.md', '/index.md'],
    ['/operators/ada.md', '/operators/*'],
    ['/operators/ada?with=bea', '/operators/*'],
    ['/leaderboard/7d/snr', '/leaderboard/*'],
    ['/settings/data', '/settings/data'],
    ['/login/interaction/secret/mail', '/login/interaction/*/mail'],
    ['/api/v1/operators/ada/history?x=1', '/api/v1/operators/{codename}/history'],
    ['/api/v1/devices/6f0f6a4e', '/api/v1/devices/{id}'],
    ['/opbench-1.2.3.tgz', '/opbench-*.tgz'],
    ['/sitemap-2.xml', '/sitemap-*.xml'],
    ['/_astro/style.css', '/_astro/*'],
    ['/ada@example.org', 'other'],
    ['/ada@example.org/x', 'other'],
    ['/operators/ada/x', 'other'],
    ['/ada.md', 'other'],
    ['/api/v1/secret', 'other'],
    ['http://ada.example/operators/ada', 'other'],
    ['*', 'other'],
    ['', 'other'],
  ])('%s: %s', (target, name) => {
    expect(ROUTE_TABLE.logName(target)).toBe(name);
  });
});
