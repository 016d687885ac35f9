/**
 * Tiles: the hashes of the tree in groups of 256 that never change once they are full, and their paths.
 *
 * @see {@link https://c2sp.org/tlog-tiles | C2SP tlog-tiles}
 * @module
 */
import type { Sha256 } from '../signing/dsse.ts';
import { TlogError } from './tlog-error.ts';
import { HASH_BYTES, type Hash, type ReadNode, nodeHash } from './tree.ts';

/** The hashes of a full tile, and the entries of a full bundle. */
export const TILE_WIDTH = 256;

/** The levels of the tree that a tile spans. */
const TILE_HEIGHT = 8;

/** A tile, or a bundle of entries. */
export interface Tile {
  /** From 0 to 63. Level 0 has the hashes of entries, and each hash above is the root of a full tile below. */
  level: number | 'entries';
  number: number;
  /** From 1 to {@linkcode TILE_WIDTH}. A tile with fewer is partial. */
  width: number;
}

/** A tile's path below the log's prefix, such as `tile/0/x001/234.p/5`. */
export function tilePath({ level, number, width }: Tile): string {
  const partial = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${tileNumber(number)}${partial}`;
}

/** The path of the payloads of a bundle below the log's prefix, such as `payload/x001/234`. It is ours, not the standard's. */
export function payloadPath(number: number): string {
  return `payload/${tileNumber(number)}`;
}

/** The number of a tile in its path: `x001/x234/067` for 1234067. */
function tileNumber(number: number): string {
  const digits = String(number);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  return groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
}

const LEVEL = /entries|\d|[1-5]\d|6[0-3]/;
const NUMBER = /(?:x\d{3}\/)*\d{3}/;
const PARTIAL_WIDTH = /[1-9]\d?|1\d\d|2[0-4]\d|25[0-5]/;
const PATH = new RegExp(
  `^tile/(${LEVEL.source})/(${NUMBER.source})(?:\\.p/(${PARTIAL_WIDTH.source}))?$`,
);

/**
 * Reads the path of a tile.
 *
 * @throws {TlogError} if it is not exactly the path that {@linkcode tilePath} returns for a tile.
 */
export function parseTilePath(path: string): Tile {
  const [, level, digits = '', width] = PATH.exec(path) ?? [];
  const number = parseTileNumber(digits);
  if (number === null) throw new TlogError('The path is not that of a tile');
  return {
    level: level === 'entries' ? level : Number(level),
    number,
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
}

/** The same for a path that somebody asks for. Null if it is not that of a tile. */
export function tileAt(path: string): Tile | null {
  try {
    return parseTilePath(path);
  } catch (error) {
    if (error instanceof TlogError) return null;
    throw error;
  }
}

/** The number that a path states in groups of three digits; null if it is not canonical. */
export function parseTileNumber(digits: string): number | null {
  const number = Number(digits.replaceAll(/[x/]/g, ''));
  return Number.isSafeInteger(number) && tileNumber(number) === digits ? number : null;
}

/** How many hashes or entries a tile has in a tree of some size, from 0 to {@linkcode TILE_WIDTH}. */
export function tileWidth({ level, number }: Omit<Tile, 'width'>, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.max(0, Math.min(TILE_WIDTH, hashes - number * TILE_WIDTH));
}

/** A tile of hashes, which is not a bundle. */
export type HashTile = Tile & { level: number };

/**
 * The last tile of each level, if it is not full, from the lowest level. The root of a tree of this size covers exactly
 * these hashes, and each of them covers a full tile or an entry below.
 */
export function edgeTiles(size: number): HashTile[] {
  const edge: HashTile[] = [];
  for (let [level, hashes] = [0, size]; hashes > 0; level += 1) {
    const number = Math.floor(hashes / TILE_WIDTH);
    const width = hashes % TILE_WIDTH;
    if (width > 0) edge.push({ level, number, width });
    hashes = number;
  }
  return edge;
}

/**
 * The hashes of a tile.
 *
 * @throws {TlogError} if its bytes are not from 1 to 256 hashes.
 */
export function hashesOf(tile: Uint8Array): Hash[] {
  const count = tile.length / HASH_BYTES;
  if (!Number.isInteger(count) || count < 1 || count > TILE_WIDTH) {
    throw new TlogError(`A tile has ${tile.length} bytes`);
  }
  return Array.from({ length: count }, (_, at) =>
    tile.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

/** The root of the complete subtree over some hashes, whose number must be a power of 2. */
export function rootOfHashes(hashes: readonly Hash[], sha256: Sha256): Hash {
  let level = hashes;
  while (level.length > 1) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, at) =>
      nodeHash(below[2 * at] as Hash, below[2 * at + 1] as Hash, sha256),
    );
  }
  return level[0] as Hash;
}

/**
 * Reads nodes from tiles.
 *
 * @param readTile Returns the bytes of a tile, which may be partial.
 * @returns A function that throws {@linkcode TlogError} if a tile is malformed or too short for the node.
 */
export function nodesIn(
  readTile: (level: number, number: number) => Uint8Array,
  sha256: Sha256,
): ReadNode {
  return (level, number) => {
    const tileLevel = Math.floor(level / TILE_HEIGHT);
    const width = 2 ** (level % TILE_HEIGHT);
    const first = number * width;
    const tile = Math.floor(first / TILE_WIDTH);
    const hashes = hashesOf(readTile(tileLevel, tile)).slice(
      first % TILE_WIDTH,
      (first % TILE_WIDTH) + width,
    );
    if (hashes.length < width) throw new TlogError(`Tile ${tileLevel}/${tile} has too few hashes`);
    return rootOfHashes(hashes, sha256);
  };
}
