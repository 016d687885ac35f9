/** The tiles and bundles of a mirror. A file has its first bytes as soon as a checkpoint has them, under its full name. */
import { decodeBundle } from '#core/domain/tlog/bundle.ts';
import {
  TILE_WIDTH,
  type Tile,
  edgeTiles,
  hashesOf,
  nodesIn,
  payloadPath,
  rootOfHashes,
  tilePath,
  tileWidth,
} from '#core/domain/tlog/tile.ts';
import { TlogError } from '#core/domain/tlog/tlog-error.ts';
import { HASH_BYTES, type Hash, type TreeHead, leafHash, rootOf } from '#core/domain/tlog/tree.ts';
import { sha256 } from '../process/crypto.ts';
import type { MirrorFolder } from './folder.ts';

/** Tiles above the lowest level that are kept in memory. Each leads to 256 tiles below. */
const MAX_KNOWN = 16;

export function isSameHash(a: Hash | undefined, b: Hash | undefined): boolean {
  return a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;
}

/** The file of a tile or bundle of any width, below the mirror's folder. */
export function fileOf({ level, number }: Omit<Tile, 'width'>): string {
  return `log/${tilePath({ level, number, width: TILE_WIDTH })}`;
}

/** The path of a bundle's payloads, below the mirror's folder and below the board's address. */
export function payloadFile(number: number): string {
  return `log/${payloadPath(number)}`;
}

/**
 * The tree of a checkpoint, as the files have it. Every tile and bundle is checked when it is read, up to the root. So
 * damage of the disk never reaches a reader.
 */
export class TreeFiles {
  readonly head: TreeHead;
  /** Files that are checked, but not written yet, by their names. */
  readonly unwritten = new Map<string, Uint8Array>();
  readonly #folder: MirrorFolder;
  #edge: ReadonlyMap<number, Uint8Array> | null = null;
  readonly #known = new Map<string, Uint8Array>();

  constructor(folder: MirrorFolder, head: TreeHead) {
    this.#folder = folder;
    this.head = head;
  }

  /** The partial tile of each level, which together give the root. Null if they do not. */
  edge(): ReadonlyMap<number, Uint8Array> | null {
    return (this.#edge ??= this.#readEdge());
  }

  /** The hashes of a tile, as many as the tree has. Null if the file is missing, too short or damaged. */
  tile(level: number, number: number): Uint8Array | null {
    const width = tileWidth({ level, number }, this.head.size);
    if (width === 0) return null;
    if (width < TILE_WIDTH) return this.edge()?.get(level) ?? null;
    const known = this.#known.get(`${level}/${number}`);
    if (known) return known;
    const hashes = this.#read(level, number, width);
    if (!hashes || !this.isTile(level, number, hashes)) return null;
    if (level > 0) this.#remember(`${level}/${number}`, hashes);
    return hashes;
  }

  /** Whether these are the hashes of a full tile, according to the tile above. */
  isTile(level: number, number: number, tile: Uint8Array): boolean {
    const parent = this.tile(level + 1, Math.floor(number / TILE_WIDTH));
    const expected = parent && hashesOf(parent)[number % TILE_WIDTH];
    return expected !== null && isSameHash(rootOfHashes(hashesOf(tile), sha256), expected);
  }

  /** The entries of a bundle, as many as the tree has. Null if the file is missing, too short or damaged. */
  bundle(number: number): Uint8Array[] | null {
    const name = fileOf({ level: 'entries', number });
    const bytes = this.unwritten.get(name) ?? this.#folder.read(name);
    const found = bytes && this.entriesIn(number, bytes);
    return Array.isArray(found) ? found : null;
  }

  /** The entries in the bytes of a bundle, or why they are not those of the tree. */
  entriesIn(number: number, bytes: Uint8Array): Uint8Array[] | string {
    const tile = this.tile(0, number);
    if (!tile) return 'belongs to a tile that is missing or damaged';
    const hashes = hashesOf(tile);
    try {
      const entries = decodeBundle(bytes).slice(0, hashes.length);
      if (entries.length < hashes.length) return `has only ${entries.length} entries`;
      const wrong = entries.findIndex((entry, at) => {
        return !isSameHash(leafHash(entry, sha256), hashes[at]);
      });
      if (wrong === -1) return entries;
      return `has another entry ${number * TILE_WIDTH + wrong + 1} than the tree`;
    } catch (error) {
      if (error instanceof TlogError) return `is not a bundle: ${error.message}`;
      throw error;
    }
  }

  /** Takes the edge from somewhere else. Returns whether it gives the root. */
  takeEdge(edge: ReadonlyMap<number, Uint8Array>): boolean {
    if (!this.#isEdge(edge)) return false;
    this.#edge = edge;
    return true;
  }

  #readEdge(): ReadonlyMap<number, Uint8Array> | null {
    const edge = new Map<number, Uint8Array>();
    for (const { level, number, width } of edgeTiles(this.head.size)) {
      const tile = this.#read(level, number, width);
      if (!tile) return null;
      edge.set(level, tile);
    }
    return this.#isEdge(edge) ? edge : null;
  }

  #isEdge(edge: ReadonlyMap<number, Uint8Array>): boolean {
    const { size, root } = this.head;
    const read = nodesIn((level) => edge.get(level) ?? new Uint8Array(), sha256);
    return isSameHash(rootOf(size, read, sha256), root);
  }

  #read(level: number, number: number, width: number): Uint8Array | null {
    const name = fileOf({ level, number });
    const bytes = this.unwritten.get(name) ?? this.#folder.read(name);
    return bytes && bytes.length >= width * HASH_BYTES
      ? bytes.subarray(0, width * HASH_BYTES)
      : null;
  }

  #remember(name: string, tile: Uint8Array): void {
    if (this.#known.size >= MAX_KNOWN) this.#known.delete(this.#known.keys().next().value ?? '');
    this.#known.set(name, tile);
  }
}
