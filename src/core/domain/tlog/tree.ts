/**
 * The Merkle tree over the entries of the log: hashes, and proofs that an entry is included and that a tree extends an
 * earlier one. Sizes and indexes are safe integers; the first entry has index 0.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9162#section-2.1 | RFC 9162, section 2.1, the same tree as RFC 6962}
 * @module
 */
import type { Sha256 } from '../signing/dsse.ts';
import { PathWalk } from './path-walk.ts';
import { TlogError } from './tlog-error.ts';

/** A SHA-256 hash: 32 bytes. */
export type Hash = Uint8Array;

export const HASH_BYTES = 32;

/** A tree's size in entries, and its root. */
export interface TreeHead {
  size: number;
  root: Hash;
}

/**
 * Returns the hash of a complete subtree: of the 2^level entries from number × 2^level. Level 0 has the hashes of
 * entries.
 */
export type ReadNode = (level: number, number: number) => Hash;

/** The root of a tree without entries: SHA-256 of nothing. */
export const EMPTY_ROOT: Hash = new Uint8Array(
  Buffer.from('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'hex'),
);

/** The hash of an entry: SHA-256 of 0x00 and the entry. */
export function leafHash(entry: Uint8Array, sha256: Sha256): Hash {
  const bytes = new Uint8Array(1 + entry.length);
  bytes.set(entry, 1);
  return sha256(bytes);
}

/** The hash of an inner node: SHA-256 of 0x01, the left hash and the right hash. */
export function nodeHash(left: Hash, right: Hash, sha256: Sha256): Hash {
  const bytes = new Uint8Array(1 + 2 * HASH_BYTES);
  bytes[0] = 1;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return sha256(bytes);
}

/** The root of a tree of some size. */
export function rootOf(size: number, read: ReadNode, sha256: Sha256): Hash {
  checkSize(size);
  return size === 0 ? EMPTY_ROOT : subtreeHash(0, size, { read, sha256 });
}

/**
 * The hashes that prove that an entry is included, from its sibling to the child of the root.
 *
 * @throws {TlogError} if the tree does not have the entry.
 */
export function inclusionPath(index: number, size: number, read: ReadNode, sha256: Sha256): Hash[] {
  checkIndex(index, size);
  const path: Hash[] = [];
  let [begin, end] = [0, size];
  while (end - begin > 1) {
    const middle = begin + largestPowerBelow(end - begin);
    if (index < middle) {
      path.push(subtreeHash(middle, end, { read, sha256 }));
      end = middle;
    } else {
      path.push(subtreeHash(begin, middle, { read, sha256 }));
      begin = middle;
    }
  }
  return path.toReversed();
}

/**
 * The root that follows from an entry's hash and its inclusion path. The entry is included if this is the tree's root.
 *
 * @throws {TlogError} if the path does not have the length or the hashes that the index and size require.
 */
export function rootOfInclusion(
  leaf: Hash,
  { index, size, path }: { index: number; size: number; path: readonly Hash[] },
  sha256: Sha256,
): Hash {
  checkIndex(index, size);
  [leaf, ...path].forEach(checkHash);
  const walk = new PathWalk(index, size - 1);
  let root = leaf;
  for (const hash of path) {
    root = walk.step() === 'left' ? nodeHash(hash, root, sha256) : nodeHash(root, hash, sha256);
  }
  walk.end();
  return root;
}

/**
 * The hashes that prove that a tree extends an earlier one. Empty if the earlier one is empty or of the same size.
 *
 * @throws {TlogError} if the earlier tree is larger.
 */
export function consistencyPath(
  oldSize: number,
  newSize: number,
  read: ReadNode,
  sha256: Sha256,
): Hash[] {
  checkSizes(oldSize, newSize);
  if (oldSize === 0) return [];
  const path: Hash[] = [];
  let [begin, end] = [0, newSize];
  while (end !== oldSize) {
    const middle = begin + largestPowerBelow(end - begin);
    if (oldSize <= middle) {
      path.push(subtreeHash(middle, end, { read, sha256 }));
      end = middle;
    } else {
      path.push(subtreeHash(begin, middle, { read, sha256 }));
      begin = middle;
    }
  }
  // If it begins at the first entry, this is the old root, which the verifier has.
  if (begin > 0) path.push(subtreeHash(begin, end, { read, sha256 }));
  return path.toReversed();
}

/**
 * Whether a tree extends an earlier one, according to a consistency path.
 *
 * @throws {TlogError} if the path does not have the length or the hashes that the sizes require, or if the earlier
 * tree is larger.
 */
export function isConsistent(
  older: TreeHead,
  newer: TreeHead,
  path: readonly Hash[],
  sha256: Sha256,
): boolean {
  checkSizes(older.size, newer.size);
  [older.root, newer.root, ...path].forEach(checkHash);
  if (older.size === 0 || older.size === newer.size) {
    if (path.length > 0) throw new TlogError('The consistency path must be empty');
    return isSame(older.root, older.size === 0 ? EMPTY_ROOT : newer.root);
  }
  const walk = new PathWalk(older.size - 1, newer.size - 1);
  walk.skipComplete();
  const [first, ...rest] = walk.isAtFirst ? [older.root, ...path] : path;
  if (!first) throw new TlogError('The path has too few hashes');
  let [oldRoot, newRoot] = [first, first];
  for (const hash of rest) {
    if (walk.step() === 'left') {
      oldRoot = nodeHash(hash, oldRoot, sha256);
      newRoot = nodeHash(hash, newRoot, sha256);
    } else {
      newRoot = nodeHash(newRoot, hash, sha256);
    }
  }
  walk.end();
  return isSame(oldRoot, older.root) && isSame(newRoot, newer.root);
}

/** The hash of the entries from `begin`, which must be a multiple of a power of 2 that is not below their number. */
function subtreeHash(begin: number, end: number, tools: { read: ReadNode; sha256: Sha256 }): Hash {
  const length = end - begin;
  const level = Math.round(Math.log2(length));
  if (length === 2 ** level) return tools.read(level, begin / length);
  const middle = begin + largestPowerBelow(length);
  const left = subtreeHash(begin, middle, tools);
  return nodeHash(left, subtreeHash(middle, end, tools), tools.sha256);
}

/** The largest power of 2 below a number that is at least 2. */
function largestPowerBelow(number: number): number {
  let power = 1;
  while (power * 2 < number) power *= 2;
  return power;
}

function isSame(a: Hash, b: Hash): boolean {
  return a.every((byte, at) => byte === b[at]);
}

function checkSize(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new TlogError(`${size} is not a tree size`);
}

function checkSizes(oldSize: number, newSize: number): void {
  [oldSize, newSize].forEach(checkSize);
  if (oldSize > newSize)
    throw new TlogError(`A tree of ${newSize} cannot extend one of ${oldSize}`);
}

function checkIndex(index: number, size: number): void {
  [index, size].forEach(checkSize);
  if (index >= size) throw new TlogError(`A tree of ${size} has no entry with index ${index}`);
}

function checkHash(hash: Hash): void {
  if (hash.length !== HASH_BYTES) throw new TlogError(`A hash has ${hash.length} bytes`);
}
