/** Unpacks a few files, one of them a real native library. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cacheFolders } from '#server/single-file/cache-folders.ts';
import { type Contents, UnpackError, isIntact, unpackedRoot } from '#server/single-file/unpack.ts';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';

const LIBRARY = join(
  ROOT,
  `node_modules/better-sqlite3/prebuilds/${process.platform}-${process.arch}.node`,
);

/** Files whose bytes are read only if they are unpacked. */
function contentsOf(
  files: Readonly<Record<string, Buffer>>,
  key = '1.0.0-a',
): Contents & { unpacked: number } {
  const contents = {
    key,
    native: 'lib/sqlite.node',
    files: Object.entries(files).map(([path, bytes]) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { path, mode: 0o644, size: bytes.length, sha256 };
    }),
    unpacked: 0,
    bytes: () => {
      contents.unpacked += 1;
      return Buffer.concat(Object.values(files));
    },
  };
  return contents;
}

const FILES = { 'a.txt': Buffer.from('one'), 'lib/sqlite.node': readFileSync(LIBRARY) };
const places = (...folders: string[]) => folders.map((folder) => ({ folder, isChosen: false }));

describe.skipIf(process.platform === 'win32')('unpackedRoot', () => {
  test('unpacks once, and then uses what is there', () => {
    const folder = aDataDir();
    const contents = contentsOf(FILES);

    const root = unpackedRoot(places(folder), contents);
    expect(root).toBe(join(folder, '1.0.0-a'));
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
    expect(unpackedRoot(places(folder), contents)).toBe(root);
    expect(contents.unpacked).toBe(1);
    expect(readdirSync(folder)).toEqual(['1.0.0-a']);
  });

  test.each([
    ['changed', (path: string) => writeFileSync(path, 'two')],
    ['longer', (path: string) => writeFileSync(path, 'one more')],
    ['missing', (path: string) => rmSync(path)],
  ])('unpacks again if a file is %s', (_, damage) => {
    const folder = aDataDir();
    const contents = contentsOf(FILES);
    damage(join(unpackedRoot(places(folder), contents), 'a.txt'));

    const root = unpackedRoot(places(folder), contents);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
    expect(readdirSync(folder)).toEqual(['1.0.0-a']);
  });

  test('removes what a killed process left behind, and nothing of a running one', () => {
    const folder = aDataDir();
    for (const name of ['.unpacking-old', '.unpacking-new']) mkdirSync(join(folder, name));
    utimesSync(join(folder, '.unpacking-old'), 0, 0);

    unpackedRoot(places(folder), contentsOf(FILES));
    expect(readdirSync(folder).sort()).toEqual(['.unpacking-new', '1.0.0-a']);
  });

  test('replaces a file in place of the folder', () => {
    const folder = aDataDir();
    writeFileSync(join(folder, '1.0.0-a'), '');

    expect(statSync(unpackedRoot(places(folder), contentsOf(FILES))).isDirectory()).toBe(true);
  });

  test('never uses a folder that other users can write', () => {
    const open = aDataDir();
    chmodSync(open, 0o777);
    const safe = aDataDir();
    const contents = contentsOf(FILES);

    expect(unpackedRoot(places(open, safe), contents)).toBe(join(safe, '1.0.0-a'));
    expect(readdirSync(open)).toEqual([]);
    // In such a folder, they could exchange what was verified.
    chmodSync(safe, 0o777);
    expect(isIntact(join(safe, '1.0.0-a'), contents)).toBe(false);
    chmodSync(safe, 0o755);
    expect(isIntact(join(safe, '1.0.0-a'), contents)).toBe(true);
    chmodSync(join(safe, '1.0.0-a'), 0o777);
    expect(isIntact(join(safe, '1.0.0-a'), contents)).toBe(false);
  });

  test('files are readable for everyone, whatever the file mode mask is', () => {
    const before = process.umask(0o077);
    const root = unpackedRoot(places(join(aDataDir(), 'new')), contentsOf(FILES));
    expect(process.umask(before)).toBe(0o077);

    const modeOf = (path: string) => statSync(path).mode & 0o777;
    expect([modeOf(join(root, 'a.txt')), modeOf(join(root, 'lib'))]).toEqual([0o644, 0o755]);
    expect([modeOf(root), modeOf(dirname(root))]).toEqual([0o755, 0o755]);
  });

  test('says what to do if no folder can be written', () => {
    const file = join(aDataDir(), 'file');
    writeFileSync(file, '');
    const unpack = (isChosen: boolean) => () => {
      unpackedRoot([{ folder: join(file, 'x'), isChosen }], contentsOf(FILES));
    };

    expect(unpack(false)).toThrow(UnpackError);
    expect(unpack(false)).toThrow(/Set OPBENCH_CACHE_DIR to a folder with \d+ MB/);
    expect(unpack(false)).toThrow(expect.objectContaining({ exitCode: 2 }));
    expect(unpack(true)).toThrow(expect.objectContaining({ exitCode: 1 }));
  });

  test('says what to do if a library cannot be loaded', () => {
    const contents = contentsOf({ ...FILES, 'lib/sqlite.node': Buffer.from('not a library') });

    expect(() => unpackedRoot(places(aDataDir()), contents)).toThrow(/noexec.*OPBENCH_CACHE_DIR/);
  });

  test('keeps the files of other versions', () => {
    const folder = aDataDir();
    const older = unpackedRoot(places(folder), contentsOf(FILES));

    expect(unpackedRoot(places(folder), contentsOf(FILES, '1.0.1-b'))).not.toBe(older);
    expect(existsSync(older)).toBe(true);
  });
});

describe('cacheFolders', () => {
  const of = (environment: Record<string, string>, uid = 1000, home = '/home/a') =>
    cacheFolders(environment, uid, home).map(({ folder }) => folder);

  test('prefers the folder of the service manager', () => {
    expect(of({ CACHE_DIRECTORY: '/var/cache/x' })[0]).toBe('/var/cache/x');
  });

  test('uses only the folder that the user chose', () => {
    expect(cacheFolders({ OPBENCH_CACHE_DIR: '/c', CACHE_DIRECTORY: '/d' })).toEqual([
      { folder: '/c', isChosen: true },
    ]);
  });

  test.each([
    ['the home folder', {}, 1000, '/home/a', '/home/a/.cache/opbench-board'],
    ['XDG_CACHE_HOME', { XDG_CACHE_HOME: '/x' }, 1000, '/home/a', '/x/opbench-board'],
  ])('uses %s', (_, environment, uid, home, expected) => {
    expect(of(environment as Record<string, string>, uid, home)).toContain(expected);
  });

  test('leaves out the home folders of root and of users without one', () => {
    expect(of({}, 0, '/root').some((folder) => folder.startsWith('/root'))).toBe(false);
    for (const none of ['/', '']) {
      expect(of({}, 1000, none).some((folder) => folder.includes('.cache'))).toBe(false);
    }
  });
});
