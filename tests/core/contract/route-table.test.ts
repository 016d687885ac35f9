import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#core/contract/limits.ts';
import operations from '#core/contract/operations.json' with { type: 'json' };
import { LLMS_SECTIONS, RouteTable, answererOf } from '#core/contract/route-table.ts';
import { ROUTES, ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import {
  ATOM_PATH,
  FAVICON_PATH,
  LLMS_TXT_PATH,
  SATELLITE_PATH,
  SITEMAP_PATH,
  TOUCH_ICON_PATH,
  WEB_MANIFEST_PATH,
} from '#core/domain/text/file-paths.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import {
  LATEST_BUNDLE_PATH,
  LATEST_PACKAGE_PATH,
  PROGRAM_PATH,
  INSTALLER_PATHS,
  RELEASE_PATH,
  bundlePath,
  packagePath,
} from '#core/schema/release.ts';

const KINDS = ['asset', 'file', 'mcp', 'operation', 'page', 'picture', 'probe', 'provider'];
const OPERATION_WORDS = [
  ...['tag', 'method', 'path', 'summary', 'description', 'limit', 'cacheSeconds', 'errors'],
  ...['statuses', 'location', 'replyType', 'streamed', 'fileName', 'prepared', 'llms', 'open'],
  'readers',
];

/** Pages without their own address. */
const UNASKED = ['/404', '/500'];

/** The addresses of all files under `src/pages`, with parameters in braces. One file serves all operations. */
const FILES = globSync('src/pages/**/{.well-known/**/,}*.{astro,ts}')
  .map((file) => file.replaceAll('\\', '/').slice('src/pages'.length))
  .map((path) => path.replace(/\.(?:astro|ts)$/, '').replace(/\/index$/, '') || '/')
  .filter((path) => !UNASKED.includes(path))
  .flatMap((path) => (path === '/_operations' ? ROUTES.map((route) => route.path) : [path]))
  // A rest parameter named path is several segments. Any other is one or none.
  .map((path) => path.replace('[...path]', '{path*}'))
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

  test('declares each address once and finds it', () => {
    const paths = ROUTE_TABLE.routes.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    for (const route of ROUTE_TABLE.routes) {
      const path = route.path.replaceAll(/\{\w+\*?\}/g, 'somebody');
      expect(ROUTE_TABLE.find(path)).toBe(route);
    }
  });

  test('finds several segments where a parameter has a star', () => {
    for (const tile of ['0/000', '0/x001/234.p/5', 'entries/x001/x234/067']) {
      expect(ROUTE_TABLE.find(`/log/tile/${tile}`)?.path).toBe('/log/tile/{path*}');
    }
    expect(ROUTE_TABLE.find('/log/tile')).toBeNull();
    expect(ROUTE_TABLE.find('/metrics/yield/x')).toBeNull();
  });

  test.each([
    PUBLIC_LOG_PATH,
    RELEASE_PATH,
    PROGRAM_PATH,
    LATEST_PACKAGE_PATH,
    ...Object.values(INSTALLER_PATHS),
    packagePath('1.2.3'),
    LATEST_BUNDLE_PATH,
    bundlePath('1.2.3'),
  ])('has %s, which the protocol refers to', (path) =>
    expect(ROUTE_TABLE.find(path)?.kind).toBe('file'),
  );

  test.each([
    ...[FAVICON_PATH, TOUCH_ICON_PATH, WEB_MANIFEST_PATH, ATOM_PATH, LLMS_TXT_PATH],
    ...[SATELLITE_PATH, SITEMAP_PATH, MCP_PATH],
  ])('has %s, which the code refers to', (path) => {
    expect(ROUTE_TABLE.find(path)?.path).toBe(path);
  });

  // The tables are JSON, so no type checks their values.
  test('uses only known values', () => {
    for (const { kind, prepared, sitemap, variants, search, llms } of ROUTE_TABLE.routes) {
      expect(KINDS).toContain(kind);
      expect([undefined, 'build', 'first-request', 'publication', 'once']).toContain(prepared);
      expect([undefined, 'board', 'reference']).toContain(sitemap);
      expect([undefined, 'board', 'comparison', 'operator', 'sitemap', 'standings']).toContain(
        variants,
      );
      expect([undefined, 'q', 'with']).toContain(search);
      expect([undefined, ...LLMS_SECTIONS]).toContain(llms?.section);
    }
    const words = new Set(Object.values(operations).flatMap((operation) => Object.keys(operation)));
    expect([...words].filter((word) => !OPERATION_WORDS.includes(word))).toEqual([]);
    expect(new Set(ROUTES.map(({ method }) => method))).toEqual(
      new Set(['DELETE', 'GET', 'PATCH', 'POST']),
    );
  });

  test('has all operations of the API', () => {
    expect(ROUTE_TABLE.operations).toEqual(ROUTES);
  });

  test('uses existing limits, and does not cache responses for one visitor', () => {
    for (const { caller, cacheSeconds, limit, prepared, sitemap } of ROUTE_TABLE.routes) {
      expect(limit in LIMITS).toBe(true);
      if (caller === 'public') continue;
      expect([prepared, sitemap]).toEqual([undefined, undefined]);
      expect(cacheSeconds === 0 || caller === 'visitor').toBe(true);
    }
  });

  test('has an address for every value of parameters with fixed values', () => {
    expect(addressesOf('/metrics/{metric}')).toContain('/metrics/snr');
    expect(addressesOf('/leaderboard/{window}/{metric}')).toContain('/leaderboard/7d/snr');
    expect(addressesOf('/operators/{codename}')).toEqual([]);
    expect(addressesOf('/')).toEqual(['/']);
  });

  test('finds the first of several matching routes', () => {
    const page = ROUTE_TABLE.find('/login/interaction/somebody/mail');
    expect(page?.path).toBe('/login/interaction/{uid}/mail');
    const table = new RouteTable([...ROUTE_TABLE.routes].reverse());
    expect(table.find('/login')?.path).toBe('/login');
  });
});

describe('the name in the request log of', () => {
  test("no route's log name identifies a person", () => {
    const targets = FILES.map((path) => path.replaceAll(/\{\w+\*?\}/g, 'somebody'));
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
    ['/operators/ada/2026', '/operators/*'],
    ['/operators/ada/x/y', 'other'],
    ['/ada.md', 'other'],
    ['/api/v1/secret', 'other'],
    ['http://ada.example/operators/ada', 'other'],
    ['*', 'other'],
    ['', 'other'],
  ])('%s: %s', (target, name) => {
    expect(ROUTE_TABLE.logName(target)).toBe(name);
  });
});

describe('answererOf()', () => {
  const pathsBy = (answerer: ReturnType<typeof answererOf>) =>
    ROUTE_TABLE.routes.filter((route) => answererOf(route) === answerer);

  test('readers answer what is prepared, and little else', () => {
    const others = pathsBy('reader').filter(({ prepared }) => prepared === undefined);
    expect(others.map(({ path }) => path)).toEqual([
      '/docs/search',
      '/challenges/{id}.ics',
      '/challenges/{id}.atom',
      '/.well-known/security.txt',
      '/avatars/{hash}.webp',
      '/shields/{codename}.json',
      '/oembed',
      '/embed/board',
      '/badge/{codename}.svg',
      '/cards/{codename}.png',
      '/cards/compare/{names}.png',
      '/cards/challenges/{id}.png',
      '/cards/records/{metric}.png',
      '/cards/{codename}/{year}.png',
      '/api/v1/days',
      '/api/v1/hall-of-signal',
    ]);
  });

  test('readers answer only what is the same for everybody and changes nothing', () => {
    for (const { path, caller, methods, operations = [] } of pathsBy('reader')) {
      expect.soft([path, caller, methods]).toEqual([path, 'public', ['GET', 'HEAD', 'OPTIONS']]);
      expect.soft(operations.every(({ auth }) => auth === 'public')).toBe(true);
    }
  });

  test('the parts of the log are in the object store', () => {
    expect(pathsBy('store').map(({ path }) => path)).toEqual([
      '/log/checkpoint',
      '/log/tile/{path*}',
      '/log/payload/{path*}',
      '/log/{generation}/checkpoint',
      '/log/{generation}/tile/{path*}',
      '/log/{generation}/payload/{path*}',
    ]);
  });

  test('the writer answers what is live although it is public', () => {
    const live = pathsBy('writer').filter(({ caller, cacheSeconds }) => {
      return caller === 'public' && cacheSeconds > 0;
    });
    expect(live.map(({ path }) => path)).toEqual([
      '/submissions',
      '/submissions/{id}',
      '/log.ndjson.gz',
      '/log/boards.ndjson.gz',
      '/transparency',
      '/opbench-{version}.tgz',
      '/opbench-{version}.mcpb',
      '/api/v1/challenges',
      '/api/v1/challenges/{id}',
      '/api/v1/operators/{codename}/history',
      '/api/v1/operators/{codename}/records',
      '/api/v1/operators/{codename}/keys',
      '/api/v1/submissions',
      '/api/v1/submissions/{id}',
      '/api/v1/submissions/{id}/envelope',
      '/api/v1/log',
      '/.well-known/opbench-keys.json',
      '/api/v1/log/proof',
      '/api/v1/log/consistency',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/api/mcp',
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/.well-known/jwks.json',
    ]);
  });
});
