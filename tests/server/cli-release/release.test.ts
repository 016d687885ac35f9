import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Release } from '#core/schema/release.ts';
import { prepareRelease } from '#server/http/release-files.ts';
import { npmPackage, releaseOf, storedGzip } from '#server/cli-release/release.ts';

const BOARD = 'https://bench.example';
const BUILT = {
  program: `#!/usr/bin/env node
// opbench 1.2.3
const a=URL.canParse("@OPBENCH_BOARD@")?"@OPBENCH_BOARD@":null;
`,
  license: 'MIT\n',
  installers: { sh: '@BOARD@ @VERSION@ @NODE@ @SHA256@ $@', ps1: "'@BOARD@' @'" },
};

const integrityOf = (bytes: Buffer) =>
  `sha512-${createHash('sha512').update(bytes).digest('base64')}`;

afterEach(() => void vi.useRealTimers());

describe('releaseOf()', () => {
  test("writes the board's address to every placeholder", async () => {
    const { program } = await releaseOf(BUILT, BOARD);

    expect(program.toString()).toBe(
      `#!/usr/bin/env node\n// opbench 1.2.3\nconst a=URL.canParse("${BOARD}")?"${BOARD}":null;\n`,
    );
  });

  test.each([
    ['has no placeholder for the address', BUILT.program.replaceAll('@OPBENCH_BOARD@', BOARD)],
    ['does not state its version', BUILT.program.replace('// opbench', '//')],
  ])('rejects a program that %s', async (_, program) => {
    await expect(releaseOf({ ...BUILT, program }, BOARD)).rejects.toThrow('Remove dist');
  });

  test('has the URLs and checksums of the package, the file and the bundle', async () => {
    const { release, program, package: packed, bundle } = await releaseOf(BUILT, BOARD);

    expect(Release.parse(release)).toEqual({
      name: 'opbench',
      version: '1.2.3',
      node: '>=20',
      package: { url: `${BOARD}/opbench-1.2.3.tgz`, integrity: integrityOf(packed) },
      file: { url: `${BOARD}/opbench.mjs`, integrity: integrityOf(program) },
      bundle: { url: `${BOARD}/opbench-1.2.3.mcpb`, integrity: integrityOf(bundle) },
    });
  });

  test('packs the program for npm, without dependencies and install scripts', async () => {
    const { program, package: packed } = await releaseOf(BUILT, BOARD);
    const entries = await unpackTar(gunzipSync(packed));
    const files = new Map(entries.map(({ header, data }) => [header.name, { header, data }]));
    const manifest = files.get('package/package.json')?.data ?? new Uint8Array();

    expect([...files.keys()]).toEqual([
      'package/package.json',
      'package/opbench.mjs',
      'package/README.md',
      'package/LICENSE',
    ]);
    expect(files.get('package/opbench.mjs')).toMatchObject({
      header: { mode: 0o755, uid: 0, gid: 0 },
      data: new Uint8Array(program),
    });
    expect(JSON.parse(Buffer.from(manifest).toString())).toEqual({
      name: 'opbench',
      version: '1.2.3',
      description: expect.any(String),
      homepage: BOARD,
      license: 'MIT',
      type: 'module',
      bin: { opbench: 'opbench.mjs' },
      engines: { node: '>=20' },
    });
  });

  test('writes address, version, least Node.js and digest into the installation scripts', async () => {
    const { program, installers } = await releaseOf(BUILT, BOARD);

    const digest = createHash('sha256').update(program).digest('hex');
    expect(installers).toEqual({ sh: `${BOARD} 1.2.3 20 ${digest} $@`, ps1: `'${BOARD}' @'` });
  });

  test('is the same at any time, and different for another address', async () => {
    vi.useFakeTimers({ now: 0 });
    const first = await releaseOf(BUILT, BOARD);
    vi.setSystemTime(Date.UTC(2030, 0, 1));
    const later = await releaseOf(BUILT, BOARD);
    const elsewhere = await releaseOf(BUILT, 'https://other.example');

    expect(later).toEqual(first);
    expect(elsewhere.package).not.toEqual(first.package);
    expect(elsewhere.bundle).not.toEqual(first.bundle);
  });
});

describe('npmPackage()', () => {
  test('returns the same bytes on every computer', async () => {
    const packed = await npmPackage([
      { name: 'a.txt', bytes: Buffer.from('a') },
      { name: 'b.mjs', bytes: Buffer.alloc(70_000, 'b'), isProgram: true },
    ]);

    expect(createHash('sha256').update(packed).digest('hex')).toBe(
      'f415359bbea6e00547c24787b38a0dfeaa7a4853d2a268a60373109e084c3fc6',
    );
  });

  test.each([0, 1, 65_535, 65_536, 131_070, 200_000])('gunzip gives %i bytes back', (length) => {
    const bytes = Buffer.alloc(length, 'opbench');

    expect(gunzipSync(storedGzip(bytes))).toEqual(bytes);
  });
});

describe('prepareRelease()', () => {
  test('caches the package and the bundle of a version permanently, and revalidates everything else', async () => {
    const files = await prepareRelease(await releaseOf(BUILT, BOARD));
    const told = [...files].map(([address, { status, headers }]) => {
      return [address, status, headers['Cache-Control'], headers['Location']];
    });

    expect(told).toEqual([
      ['/opbench.json', 200, 'public, no-cache', undefined],
      ['/opbench.mjs', 200, 'public, no-cache', undefined],
      ['/install.sh', 200, 'public, no-cache', undefined],
      ['/install.ps1', 200, 'public, no-cache', undefined],
      ['/opbench-1.2.3.tgz', 200, 'public, max-age=31536000, immutable', undefined],
      ['/opbench.tgz', 302, 'public, no-cache', '/opbench-1.2.3.tgz'],
      ['/opbench-1.2.3.mcpb', 200, 'public, max-age=31536000, immutable', undefined],
      ['/opbench.mcpb', 302, 'public, no-cache', '/opbench-1.2.3.mcpb'],
    ]);
  });

  test('serves the installation scripts as text', async () => {
    const files = await prepareRelease(await releaseOf(BUILT, BOARD));

    for (const address of ['/install.sh', '/install.ps1']) {
      const { headers, encodings } = files.get(address) ?? {};
      expect(headers).toMatchObject({ 'Content-Type': 'text/plain; charset=utf-8' });
      expect(String(encodings?.identity.bytes)).toContain(BOARD);
    }
  });

  test('sends the package without a content encoding', async () => {
    const released = await releaseOf({ ...BUILT, license: 'MIT\n'.repeat(1_000) }, BOARD);
    const file = (await prepareRelease(released)).get('/opbench-1.2.3.tgz');

    expect(file?.encodings.br.bytes).toEqual(released.package);
    expect(file?.encodings.gzip.head).not.toContain('Content-Encoding');
  });
});
