import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, hex } from '#core/domain/log/log-entry.ts';
import { decodeBundle, encodeBundle } from '#core/domain/tlog/bundle.ts';
import {
  edgeTiles,
  TILE_WIDTH,
  type Tile,
  hashesOf,
  nodesIn,
  parseTilePath,
  rootOfHashes,
  tilePath,
  tileWidth,
} from '#core/domain/tlog/tile.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import { type Hash, leafHash, rootOf } from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import {
  FUZZING,
  FUZZING_MS,
  mutatedBytes,
  mutatedText,
} from '#tests/support/fuzz/arbitrary-mutation.ts';
import { attempt } from '#tests/support/fuzz/arbitrary-text.ts';
import { naiveRoot } from '#tests/support/protocol/naive-tree.ts';

const isRefusal = (error: unknown) => error instanceof TlogError;
const aTile: fc.Arbitrary<Tile> = fc.record({
  level: fc.oneof(fc.integer({ min: 0, max: 63 }), fc.constant('entries' as const)),
  number: fc.oneof(fc.nat(2_000), fc.maxSafeNat()),
  width: fc.integer({ min: 1, max: TILE_WIDTH }),
});

describe('the path of a tile', { timeout: FUZZING_MS }, () => {
  test.each([
    [{ level: 0, number: 0, width: 256 }, 'tile/0/000'],
    [{ level: 0, number: 1234, width: 5 }, 'tile/0/x001/234.p/5'],
    [{ level: 1, number: 1_234_067, width: 256 }, 'tile/1/x001/x234/067'],
    [{ level: 'entries', number: 273, width: 112 }, 'tile/entries/273.p/112'],
  ] as const)('%j is %s', (tile, path) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
  });

  test('is read as the tile it was made from', () => {
    fc.assert(
      fc.property(aTile, (tile) => void expect(parseTilePath(tilePath(tile))).toEqual(tile)),
      FUZZING,
    );
  });

  test.each([
    'tile/00/000',
    'tile/64/000',
    'tile/0/0',
    'tile/0/0000',
    'tile/0/x000/001',
    'tile/0/001/234',
    'tile/0/x001',
    'tile/0/000.p/0',
    'tile/0/000.p/05',
    'tile/0/000.p/256',
    'tile/0/000.p/',
    'tile/-1/000',
    'tile/data/000',
    'tile/0/x009/x007/x199/x254/x740/992',
    'tile/0/x999/x999/x999/x999/x999/999',
    'tile/0/٠٠٠',
    'tile/0/000\n',
    '/tile/0/000',
    '',
  ])('is not %j', (path) => {
    expect(() => parseTilePath(path)).toThrow(TlogError);
  });

  test('is rejected with a known error or means itself, whatever the mutation', () => {
    const paths = mutatedText(['tile/0/x001/234.p/5', 'tile/entries/x001/x234/067', 'tile/63/000']);
    const property = fc.property(paths, (path) => {
      attempt(() => expect(tilePath(parseTilePath(path))).toBe(path), path, isRefusal);
    });

    fc.assert(property, FUZZING);
  });
});

describe('tileWidth()', () => {
  test.each([
    [0, 272, 256],
    [0, 273, 112],
    [0, 274, 0],
    ['entries', 273, 112],
    [1, 0, 256],
    [1, 1, 17],
    [2, 0, 1],
    [3, 0, 0],
  ] as const)('of tile %s/%d of a tree of 70,000 is %d', (level, number, width) => {
    expect(tileWidth({ level, number }, 70_000)).toBe(width);
  });
});

describe('edgeTiles()', () => {
  const paths = (size: number) => edgeTiles(size).map(tilePath);

  test('names the tiles that are not full', () => {
    expect(paths(0)).toEqual([]);
    expect(paths(1)).toEqual(['tile/0/000.p/1']);
    expect(paths(256)).toEqual(['tile/1/000.p/1']);
    expect(paths(70_000)).toEqual(['tile/0/273.p/112', 'tile/1/001.p/17', 'tile/2/000.p/1']);
  });
});

describe('nodesIn()', () => {
  test('reads from tiles the root of a tree that has three levels of them', () => {
    const size = TILE_WIDTH ** 2 + TILE_WIDTH + 3;
    const entries = Array.from({ length: size }, (_, at) => Buffer.from(String(at)));
    const levels: Hash[][] = [];
    let hashes = entries.map((entry) => leafHash(entry, sha256));
    while (hashes.length > 0) {
      levels.push(hashes);
      const full = Math.floor(hashes.length / TILE_WIDTH);
      const groups = Array.from({ length: full }, (_, at) => group(hashes, at));
      hashes = groups.map((each) => rootOfHashes(each, sha256));
    }
    const tile = (level: number, number: number) =>
      Buffer.concat(group(levels[level] ?? [], number));

    expect(hex(rootOf(size, nodesIn(tile, sha256), sha256))).toBe(hex(naiveRoot(entries)));
  });

  test('rejects a tile that is too short for the node', () => {
    const read = nodesIn(() => new Uint8Array(3 * 32), sha256);

    expect(() => read(2, 0)).toThrow('Tile 0/0 has too few hashes');
  });

  test.each([0, 31, 33, 257 * 32])('rejects a tile of %d bytes', (length) => {
    expect(() => hashesOf(new Uint8Array(length))).toThrow(`A tile has ${length} bytes`);
  });
});

describe('a bundle', { timeout: FUZZING_MS }, () => {
  const someEntries = fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 256 });

  test('has each entry after its length', () => {
    const bundle = encodeBundle([Buffer.from('ab'), Buffer.alloc(0), Buffer.alloc(258, 7)]);

    expect([...bundle.subarray(0, 10)]).toEqual([0, 2, 0x61, 0x62, 0, 0, 1, 2, 7, 7]);
  });

  test('is decoded to the entries it was made from', () => {
    const property = fc.property(someEntries, (entries) => {
      expect(decodeBundle(encodeBundle(entries)).map(hex)).toEqual(entries.map(hex));
    });

    fc.assert(property, FUZZING);
  });

  test.each([
    ['', 'A bundle has 0 entries'],
    ['00', 'Entry 0 of the bundle is cut off'],
    ['000161000261', 'Entry 1 of the bundle is cut off'],
    ['0000'.repeat(257), 'A bundle has 257 entries'],
  ])('is not %s', (bytes, message) => {
    expect(() => decodeBundle(fromHex(bytes))).toThrow(new TlogError(message));
  });

  test('cannot have an entry of 64 KiB', () => {
    expect(() => encodeBundle([new Uint8Array(65_536)])).toThrow(TlogError);
    expect(() => encodeBundle([])).toThrow(TlogError);
  });

  test('is rejected with a known error or encoded to itself, whatever the mutation', () => {
    const seeds = [encodeBundle(['a', 'bc', 'x'.repeat(300)].map((text) => Buffer.from(text)))];
    const property = fc.property(mutatedBytes(seeds), (bytes) => {
      attempt(
        () => expect([...encodeBundle(decodeBundle(bytes))]).toEqual([...bytes]),
        bytes,
        isRefusal,
      );
    });

    fc.assert(property, FUZZING);
  });
});

function group(hashes: Hash[], number: number): Hash[] {
  return hashes.slice(number * TILE_WIDTH, (number + 1) * TILE_WIDTH);
}
