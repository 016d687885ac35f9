import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromHex, hex } from '#core/domain/log/log-entry.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import {
  EMPTY_ROOT,
  type Hash,
  type TreeHead,
  consistencyPath,
  inclusionPath,
  isConsistent,
  leafHash,
  nodeHash,
  rootOf,
  rootOfInclusion,
} from '#core/domain/tlog/tree.ts';
import { sha256 } from '#server/process/crypto.ts';
import { FUZZING, FUZZING_MS } from '#tests/support/fuzz/arbitrary-mutation.ts';
import { naiveConsistency, naiveInclusion, naiveRoot } from '#tests/support/protocol/naive-tree.ts';

/** The entries of the known answers that the implementations of RFC 6962 share. */
const ENTRIES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map(fromHex);
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (entries: readonly Uint8Array[]) => {
  const leaves = entries.map((entry) => leafHash(entry, sha256));
  const read = (level: number, number: number): Hash => {
    if (level === 0) return leaves[number] as Hash;
    const [left, right] = [read(level - 1, 2 * number), read(level - 1, 2 * number + 1)];
    return nodeHash(left, right, sha256);
  };
  return { leaves, read };
};
const anEntry = (_: unknown, at: number) => Buffer.from(`entry ${at}`);
const MOST = 300;
const all = Array.from({ length: MOST }, anEntry);
const { leaves, read } = treeOf(all);
const rootAt = (size: number) => rootOf(size, read, sha256);

/** A size, and an index or a smaller size. */
const anIndexAndSize = fc
  .integer({ min: 1, max: MOST })
  .chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)));

describe('rootOf()', () => {
  test('is the known answer for each size', () => {
    const known = treeOf(ENTRIES);

    const roots = ROOTS.map((_, at) => hex(rootOf(at + 1, known.read, sha256)));

    expect(roots).toEqual(ROOTS);
  });

  test('of a tree without entries is the hash of nothing', () => {
    expect(hex(rootAt(0))).toBe(hex(sha256('')));
    expect(EMPTY_ROOT).toHaveLength(32);
  });
});

describe('inclusionPath()', () => {
  test('is the known answer', () => {
    const known = treeOf(ENTRIES);
    const path = inclusionPath(5, 8, known.read, sha256);

    expect(path.map(hex)).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  test('is what the definition says, and leads to the root', () => {
    const property = fc.property(anIndexAndSize, ([index, size]) => {
      const path = inclusionPath(index, size, read, sha256);
      expect(path.map(hex)).toEqual(naiveInclusion(index, all.slice(0, size)).map(hex));
      const root = rootOfInclusion(leaves[index] as Hash, { index, size, path }, sha256);
      expect(hex(root)).toBe(hex(naiveRoot(all.slice(0, size))));
    });

    fc.assert(property, FUZZING);
  });

  test('is rejected for an entry that the tree does not have', () => {
    expect(() => inclusionPath(5, 5, read, sha256)).toThrow(TlogError);
    expect(() => inclusionPath(-1, 5, read, sha256)).toThrow(TlogError);
    expect(() => inclusionPath(0.5, 5, read, sha256)).toThrow(TlogError);
  });
});

describe('rootOfInclusion()', { timeout: FUZZING_MS }, () => {
  test('is another root or an error if a hash or the path is wrong', () => {
    const aWrongByte = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    const property = fc.property(anIndexAndSize, aWrongByte, ([index, size], [at, by]) => {
      const path = inclusionPath(index, size, read, sha256);
      const leaf = leaves[index] as Hash;
      const rootWith = (changed: Hash, hashes: Hash[]) =>
        hex(rootOfInclusion(changed, { index, size, path: hashes }, sha256));
      const root = hex(rootAt(size));
      expect(rootWith(flip(leaf, at, by), path)).not.toBe(root);
      expect(() => rootWith(leaf, [...path, leaf])).toThrow(TlogError);
      if (path.length === 0) return;
      expect(rootWith(leaf, flipOne(path, at, by))).not.toBe(root);
      expect(() => rootWith(leaf, path.slice(1))).toThrow(TlogError);
    });

    fc.assert(property, FUZZING);
  });

  test('rejects hashes of another length', () => {
    const short = { index: 0, size: 2, path: [new Uint8Array(31)] };

    expect(() => rootOfInclusion(leaves[0] as Hash, short, sha256)).toThrow('A hash has 31 bytes');
  });

  test('rejects any path for a tree of 2^53 entries, which no number can count', () => {
    const huge = { index: 0, size: 2 ** 53, path: [] };

    expect(() => rootOfInclusion(leaves[0] as Hash, huge, sha256)).toThrow(TlogError);
  });
});

describe('consistencyPath()', { timeout: FUZZING_MS }, () => {
  test.each([
    [
      1,
      8,
      [
        '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
      ],
    ],
    [
      6,
      8,
      [
        '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
        'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
        'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
      ],
    ],
    [
      2,
      5,
      [
        '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
        'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      ],
    ],
  ])('from %d to %d is the known answer', (older, newer, expected) => {
    const path = consistencyPath(older, newer, treeOf(ENTRIES).read, sha256);

    expect(path.map(hex)).toEqual(expected);
  });

  test('is what the definition says, and proves consistency', () => {
    const property = fc.property(anIndexAndSize, ([index, newSize]) => {
      const oldSize = index + 1;
      const path = consistencyPath(oldSize, newSize, read, sha256);
      expect(path.map(hex)).toEqual(naiveConsistency(oldSize, all.slice(0, newSize)).map(hex));
      const older = { size: oldSize, root: rootAt(oldSize) };
      const newer = { size: newSize, root: rootAt(newSize) };
      expect(isConsistent(older, newer, path, sha256)).toBe(true);
    });

    fc.assert(property, FUZZING);
  });

  test('is rejected if the earlier tree is larger', () => {
    expect(() => consistencyPath(6, 5, read, sha256)).toThrow('A tree of 5 cannot extend one of 6');
  });
});

describe('isConsistent()', { timeout: FUZZING_MS }, () => {
  test('is false or an error if a root or the path is wrong', () => {
    const property = fc.property(anIndexAndSize, fc.nat(), ([oldSize, size], at) => {
      const path = consistencyPath(oldSize, size, read, sha256);
      const older = { size: oldSize, root: rootAt(oldSize) };
      const newer = { size, root: rootAt(size) };
      const isFalse = (head: TreeHead, head2: TreeHead, hashes: Hash[]) =>
        expect(isConsistent(head, head2, hashes, sha256)).toBe(false);
      isFalse({ ...older, root: flip(older.root, at, 1) }, newer, path);
      expect(() => isConsistent(older, newer, [...path, older.root], sha256)).toThrow(TlogError);
      if (path.length === 0) return;
      isFalse(older, { ...newer, root: flip(newer.root, at, 1) }, path);
      isFalse(older, newer, flipOne(path, at, 1));
      expect(() => isConsistent(older, newer, path.slice(1), sha256)).toThrow(TlogError);
    });

    fc.assert(property, FUZZING);
  });

  test('is true between equal trees with an empty path', () => {
    const head = { size: 7, root: rootAt(7) };

    expect(isConsistent(head, head, [], sha256)).toBe(true);
  });
});

function flip(hash: Hash, at: number, by: number): Hash {
  return hash.map((byte, place) => (place === at % hash.length ? byte ^ by : byte));
}

function flipOne(path: readonly Hash[], at: number, by: number): Hash[] {
  return path.map((hash, level) => (level === at % path.length ? flip(hash, at, by) : hash));
}
