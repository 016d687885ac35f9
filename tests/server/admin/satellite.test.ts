import {
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SatelliteData } from '#core/contract/satellite.ts';
import { satellite } from '#server/admin/commands/satellite.ts';
import { writeSite } from '#server/admin/commands/site-folder.ts';
import { type SatelliteBoard, satelliteExport } from '#server/satellite/files.ts';
import { DEFAULT_SITE, siteFile } from '#server/config/site.ts';
import { aDataDir, testContext } from '#tests/support/board/context.ts';
import { callAdmin } from '#tests/support/board/admin.ts';
import { SATELLITE, SITE } from '#tests/support/pages/satellite.ts';

const BUILT = { 'main-A1.js': 'script', 'satellite-B2.css': 'style', 'text-C3.woff2': 'font' };

/** A built board with a companion site on another host. */
function aBoard(over: Partial<SatelliteBoard['config']> = {}): SatelliteBoard {
  const root = aDataDir();
  const built = join(root, 'dist', 'client', 'satellite');
  mkdirSync(built, { recursive: true });
  Object.entries(BUILT).forEach(([name, text]) => writeFileSync(join(built, name), text));
  writeFileSync(join(root, 'dist', 'client', 'icon.svg'), 'icon');
  const { signIn } = testContext().config;
  const baseUrl = 'https://bench.example.org';
  const config = { root, baseUrl, signIn, site: DEFAULT_SITE, siteFiles: [], ...over };
  return { config, satellite: SATELLITE };
}

const textsOf = (board: SatelliteBoard) =>
  Object.fromEntries(satelliteExport(board).map(({ path, bytes }) => [path, bytes.toString()]));
const pageOf = (board: SatelliteBoard) => textsOf(board)['index.html'] ?? '';
const policyOf = (page: string) =>
  /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.split('; ');
const dataOf = (page: string) => {
  const [, text = ''] =
    /<script type="application\/json" id="data">([^<]*)<\/script>/.exec(page) ?? [];
  return JSON.parse(text) as SatelliteData;
};

describe('the exported site', () => {
  test('consists of the built files, the icon and a page with the address of the board', () => {
    const { 'index.html': page = '', ...files } = textsOf(aBoard());

    expect(files).toEqual({ ...BUILT, 'icon.svg': 'icon' });
    expect(dataOf(page)).toMatchObject({
      board: 'https://bench.example.org',
      client: {
        id: 'satellite',
        issuer: 'https://bench.example.org',
        redirect_uri: SITE,
        resource: 'https://bench.example.org',
      },
      tool: { name: 'discover_peers', annotations: { readOnlyHint: true } },
    });
    const local = [...page.matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    const own = local.filter((address) => !address.startsWith('https://'));
    expect(own.map((address) => address.replace('./', '')).sort()).toEqual(
      Object.keys(files).sort(),
    );
    expect(own.every((address) => address.startsWith('./'))).toBe(true);
  });

  test('restricts what it can load and call', () => {
    const page = pageOf(aBoard());

    expect(policyOf(page)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "font-src 'self'",
      'connect-src https://bench.example.org',
      "form-action 'none'",
      "base-uri 'none'",
    ]);
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('href='));
    expect(page).toContain('<meta name="referrer" content="no-referrer"');
    expect(page).not.toMatch(/ style=| on\w+="|<style/);
  });

  test('uses an external provider, and requests tokens that the board accepts', () => {
    const { signIn } = testContext().config;
    const accessTokenTyp = 'at+jwt';
    const url = 'https://id.example.org/realms/board';
    const authority = { url, clientId: 'board', clientSecret: 'hush-hush', accessTokenTyp };
    const elsewhere = (audience: string | null) =>
      pageOf(aBoard({ signIn: { ...signIn, authority: { ...authority, audience } } }));

    expect(policyOf(elsewhere(null))).toContain(
      'connect-src https://bench.example.org https://id.example.org',
    );
    expect(dataOf(elsewhere(null)).client).toMatchObject({
      issuer: url,
      resource: 'https://bench.example.org',
    });
    expect(dataOf(elsewhere('the board')).client?.resource).toBe('the board');
    expect(elsewhere(null)).not.toContain('hush-hush');
  });

  test("contains the admin's styles, and a name cannot break out of its HTML", () => {
    const name = `</script><img src=x onerror="alert('1')">&amp;`;
    const style = siteFile('style.css', 'text/css', Buffer.from('h1 {}'));
    const picture = siteFile('logo.svg', 'image/svg+xml', Buffer.from('<svg/>'));
    const logo = { address: picture.address, width: 28, height: 28 };
    const look = { icon: picture.address, stylesheet: style.address, logo };
    const site = { ...DEFAULT_SITE, ...look, name, description: name };
    const board = aBoard({ site, siteFiles: [style, picture] });
    const files = textsOf({ ...board, satellite: { ...SATELLITE, clientId: name } });
    const page = files['index.html'] ?? '';

    expect(Object.keys(files)).toEqual([
      ...Object.keys(BUILT),
      style.address.slice(1),
      picture.address.slice(1),
      'index.html',
    ]);
    expect(page).toContain(`href=".${style.address}"`);
    expect(page).toContain(`src=".${picture.address}"`);
    expect(page).not.toContain('<img src=x');
    expect(page.match(/<\/script>/g)).toHaveLength(2);
    expect(dataOf(page).client?.id).toBe(name);
  });

  test('has the same bytes every time', () => {
    const board = aBoard();

    expect(satelliteExport(board)).toEqual(satelliteExport(board));
  });
});

/** All files of a folder by path, with links followed. */
function filesIn(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = found.filter((path) =>
    statSync(join(folder, path), { throwIfNoEntry: false })?.isFile(),
  );
  return Object.fromEntries(
    files.map((path) => [path.replaceAll(sep, '/'), readFileSync(join(folder, path), 'utf8')]),
  );
}
const entries = (texts: Record<string, string>) =>
  Object.entries(texts).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

const MANIFEST = 'opbench-satellite.json';

describe('its folder', () => {
  test('is created, and updated without the files of the earlier site', () => {
    const folder = join(aDataDir(), 'a', 'site');
    writeSite(folder, entries({ 'main-1.js': 'one', 'board/logo.svg': 'logo', 'index.html': '1' }));
    const first = filesIn(folder);
    writeFileSync(join(folder, 'CNAME'), 'peers.example.org');
    writeSite(folder, entries({ 'main-2.js': 'two', 'index.html': '2' }));
    const second = filesIn(folder);
    writeSite(folder, entries({ 'main-2.js': 'two', 'index.html': '2' }));

    expect(Object.keys(first).sort()).toEqual([
      'board/logo.svg',
      'index.html',
      'main-1.js',
      MANIFEST,
    ]);
    expect(second).toEqual({
      CNAME: 'peers.example.org',
      'index.html': '2',
      'main-2.js': 'two',
      [MANIFEST]: expect.any(String) as string,
    });
    expect(filesIn(folder)).toEqual(second);
  });

  test('with other content is not changed', () => {
    const folder = aDataDir();
    writeFileSync(join(folder, 'index.html'), 'mine');

    expect(() => writeSite(folder, entries({ 'index.html': '1' }))).toThrow('is not empty');
    expect(filesIn(folder)).toEqual({ 'index.html': 'mine' });
  });

  test('keeps a file that an earlier run did not write', () => {
    const folder = aDataDir();
    writeSite(folder, entries({ 'index.html': '1' }));
    writeFileSync(join(folder, 'icon.svg'), 'mine');
    const before = filesIn(folder);

    expect(() => writeSite(folder, entries({ 'index.html': '2', 'icon.svg': '' }))).toThrow(
      `${join(folder, 'icon.svg')}: not written by this command`,
    );
    expect(filesIn(folder)).toEqual(before);
  });

  test.each(['{"files":["../x"]}', '{"files":["/x"]}', '{"files":[".git/x"]}', '{}', 'null', '{'])(
    'with the manifest %s loses nothing',
    (note) => {
      const parent = aDataDir();
      writeFileSync(join(parent, 'x'), 'mine');
      const folder = join(parent, 'site');
      mkdirSync(folder);
      writeFileSync(join(folder, MANIFEST), note);

      expect(() => writeSite(folder, entries({ 'index.html': '1' }))).toThrow('is damaged');
      expect(filesIn(parent)).toEqual({ x: 'mine', [`site/${MANIFEST}`]: note });
    },
  );

  test.each([
    ['board', 'a link to a folder', (path: string, own: string) => symlinkSync(own, path)],
    ['board', 'a link to nothing', (path: string) => symlinkSync('nowhere', path)],
    ['board', 'a file', (path: string) => writeFileSync(path, 'mine')],
    ['index.html', 'a folder', (path: string) => mkdirSync(path)],
    ['old.js', 'a folder', (path: string) => mkdirSync(path)],
    [
      'index.html',
      'a link',
      (path: string, own: string) => symlinkSync(join(own, 'logo.svg'), path),
    ],
    [MANIFEST, 'a link', (path: string, own: string) => symlinkSync(join(own, 'note'), path)],
  ])('whose %s became %s is not written, and neither is its target', (name, _, put) => {
    const parent = aDataDir();
    const folder = join(parent, 'site');
    const own = join(parent, 'own');
    const site = { 'board/logo.svg': 'logo', 'index.html': '1' };
    mkdirSync(own);
    writeFileSync(join(own, 'logo.svg'), 'mine');
    writeSite(folder, entries({ ...site, 'old.js': 'old' }));
    writeFileSync(join(own, 'note'), readFileSync(join(folder, MANIFEST)));
    rmSync(join(folder, name), { recursive: true });
    put(join(folder, name), own);
    const before = filesIn(parent);

    expect(() => writeSite(folder, entries(site))).toThrow(
      expect.objectContaining({
        name: expect.stringMatching(/^(Usage|Unwritable)Error$/) as string,
      }),
    );
    expect(filesIn(parent)).toEqual(before);
  });

  test('must be a writable folder', () => {
    const folder = aDataDir();
    writeFileSync(join(folder, 'file'), '');
    const write = (path: string) => () => writeSite(path, entries({ 'index.html': '1' }));

    expect(write(join(folder, 'file'))).toThrow('is a file, not a folder');
    expect(write(join(folder, 'file', 'x'))).toThrow('is a file, not a folder');
  });
});

describe('satellite', () => {
  const run = (environment: Record<string, string>, ...args: string[]) => {
    const names = ['SATELLITE_URL', 'SATELLITE_CLIENT_ID', 'AUTH_URL', 'BASE_URL', 'PORT'];
    const settings = names.map((name) => [name, environment[name] ?? '']);
    callAdmin(satellite, args, { ...environment, ...Object.fromEntries(settings) } as Record<
      string,
      string
    >);
  };

  test('takes one folder', () => {
    expect(() => run({ SATELLITE_URL: SITE })).toThrow('satellite takes one DIR');
    expect(() => run({ SATELLITE_URL: SITE }, 'a', 'b')).toThrow('satellite does not take "b"');
    expect(() => run({ SATELLITE_URL: SITE }, '')).toThrow('satellite takes one DIR');
  });

  test('names missing settings', () => {
    const folder = join(aDataDir(), 'site');
    const set = { SATELLITE_URL: SITE };

    expect(() => run({}, folder)).toThrow('SATELLITE_URL is not set');
    expect(() => run({ ...set, PORT: '0' }, folder)).toThrow('BASE_URL is not set');
    const elsewhere = { ...set, AUTH_URL: 'https://id.example', AUTH_CLIENT_ID: 'board' };
    expect(() => run(elsewhere, folder)).toThrow('SATELLITE_CLIENT_ID: must be set');
  });
});
