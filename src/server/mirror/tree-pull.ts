/** Brings the tiles and bundles of a checkpoint into a mirror. What the mirror has and is intact is not fetched again. */
import { MAX_BUNDLE_BYTES } from '#core/domain/tlog/bundle.ts';
import {
  TILE_WIDTH,
  type Tile,
  edgeTiles,
  nodesIn,
  tilePath,
  tileWidth,
} from '#core/domain/tlog/tile.ts';
import { HASH_BYTES, type TreeHead, rootOf } from '#core/domain/tlog/tree.ts';
import { sha256 } from '../process/crypto.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import type { BoardClient } from './board-client.ts';
import type { MirrorFolder } from './folder.ts';
import { MirrorFault } from './mirror-error.ts';
import { type TreeFiles, fileOf, isSameHash } from './tree-files.ts';

/** Bundles that are fetched at the same time. */
const PARALLEL = 4;

/** The board's checkpoint does not extend the one that the mirror has. */
export class ForkedLog extends MirrorFault {}

export class TreePull {
  /** Files of the mirror that were damaged and fetched again. */
  readonly repaired: string[] = [];
  readonly #folder: MirrorFolder;
  readonly #client: BoardClient;
  readonly #files: TreeFiles;

  constructor(folder: MirrorFolder, client: BoardClient, files: TreeFiles) {
    this.#folder = folder;
    this.#client = client;
    this.#files = files;
  }

  /**
   * Proves that the tree extends an earlier one, from the tiles on the way. Nothing is written before.
   *
   * @throws {ForkedLog} if it does not.
   * @throws {MirrorFault} naming the file that does not lead to the root.
   */
  async extend(earlier: TreeHead | null): Promise<void> {
    const edge = this.#files.edge() ?? (await this.#fetchEdge());
    if (earlier) {
      const tiles = new Map<string, Uint8Array>();
      for (const { level, number } of edgeTiles(earlier.size)) {
        const tile = await this.#tile(level, number, (name, bytes) => {
          this.#files.unwritten.set(name, bytes);
        });
        tiles.set(`${level}/${number}`, tile);
      }
      const read = nodesIn(
        (level, number) => tiles.get(`${level}/${number}`) as Uint8Array,
        sha256,
      );
      if (!isSameHash(rootOf(earlier.size, read, sha256), earlier.root)) {
        const message = `is not the history that this mirror has: its first ${earlier.size} entries differ`;
        throw new ForkedLog('log/checkpoint', message);
      }
    }
    for (const { level, number } of edgeTiles(this.#files.head.size)) {
      const name = fileOf({ level, number });
      const bytes = edge.get(level) as Uint8Array;
      if (!this.#has(name, bytes)) this.#replace(name, bytes);
    }
    for (const [name, bytes] of this.#files.unwritten) this.#folder.write(name, bytes);
    this.#files.unwritten.clear();
  }

  /**
   * Brings all tiles and bundles with entries from an index on.
   *
   * @throws {MirrorFault} naming the first file that does not lead to the root.
   */
  async bring(from: number): Promise<void> {
    const { size } = this.#files.head;
    const levels = Math.ceil(Math.log2(Math.max(2, size)) / Math.log2(TILE_WIDTH));
    for (let level = levels; level > 0; level -= 1) {
      const span = TILE_WIDTH ** (level + 1);
      for (let number = Math.floor(from / span); (number + 1) * span <= size; number += 1) {
        await this.#tile(level, number, (name, bytes) => this.#folder.write(name, bytes));
      }
    }
    await this.#bringBundles(Math.floor(from / TILE_WIDTH));
  }

  async #bringBundles(first: number): Promise<void> {
    let next = first;
    const faults: unknown[] = [];
    const work = async () => {
      while (next * TILE_WIDTH < this.#files.head.size && faults.length === 0) {
        next += 1;
        await this.#bundle(next - 1).catch((error: unknown) => faults.push(error));
      }
    };
    // Waits for all, so that nothing is written after this.
    await Promise.all(Array.from({ length: PARALLEL }, work));
    if (faults.length > 0) throw faults[0];
  }

  async #bundle(number: number): Promise<void> {
    await yieldToEventLoop();
    await this.#tile(0, number, (name, bytes) => this.#folder.write(name, bytes));
    if (this.#files.bundle(number)) return;
    const bundle = { level: 'entries' as const, number };
    const { path, bytes } = await this.#fetch(bundle, MAX_BUNDLE_BYTES);
    const found = this.#files.entriesIn(number, bytes);
    if (!Array.isArray(found)) throw new MirrorFault(path, found);
    this.#replace(fileOf(bundle), bytes);
  }

  /** A tile of the tree. It is fetched and passed to `write` if the mirror does not have it. */
  async #tile(
    level: number,
    number: number,
    write: (name: string, bytes: Uint8Array) => void,
  ): Promise<Uint8Array> {
    const own = this.#files.tile(level, number);
    if (own) return own;
    const above = Math.floor(number / TILE_WIDTH);
    if (!this.#files.tile(level + 1, above)) await this.#tile(level + 1, above, write);
    const { path, bytes } = await this.#fetchTile(level, number);
    if (!this.#files.isTile(level, number, bytes)) {
      throw new MirrorFault(path, `does not have the hash that tile ${level + 1}/${above} names`);
    }
    const name = fileOf({ level, number });
    this.#noteRepair(name, bytes);
    write(name, bytes);
    return bytes;
  }

  async #fetchEdge(): Promise<ReadonlyMap<number, Uint8Array>> {
    const edge = new Map<number, Uint8Array>();
    const paths: string[] = [];
    for (const { level, number } of edgeTiles(this.#files.head.size)) {
      const { path, bytes } = await this.#fetchTile(level, number);
      paths.push(path);
      edge.set(level, bytes);
    }
    if (this.#files.takeEdge(edge)) return edge;
    const others = paths.length > 1 ? `, or one of ${paths.slice(1).join(', ')}` : '';
    const message = `does not give the root of the checkpoint${others}`;
    throw new MirrorFault(paths[0] ?? 'log/checkpoint', message);
  }

  async #fetchTile(level: number, number: number): Promise<{ path: string; bytes: Uint8Array }> {
    const width = tileWidth({ level, number }, this.#files.head.size);
    const fetched = await this.#fetch({ level, number }, width * HASH_BYTES);
    if (fetched.bytes.length === width * HASH_BYTES) return fetched;
    throw new MirrorFault(fetched.path, `has ${fetched.bytes.length} bytes`);
  }

  async #fetch(tile: Omit<Tile, 'width'>, maxBytes: number) {
    const width = tileWidth(tile, this.#files.head.size);
    const path = `log/${tilePath({ ...tile, width })}`;
    const answer = await this.#client.read(path, { maxBytes });
    return { path, bytes: answer?.bytes ?? new Uint8Array() };
  }

  #replace(name: string, bytes: Uint8Array): void {
    this.#noteRepair(name, bytes);
    this.#folder.write(name, bytes);
  }

  /** A file that only lacked its end was not damaged. */
  #noteRepair(name: string, bytes: Uint8Array): void {
    const own = this.#folder.read(name);
    const isBeginning = own && Buffer.compare(own, bytes.subarray(0, own.length)) === 0;
    if (own && !isBeginning) this.repaired.push(name);
  }

  #has(name: string, bytes: Uint8Array): boolean {
    const own = this.#folder.read(name);
    return own !== null && Buffer.compare(own.subarray(0, bytes.length), bytes) === 0;
  }
}
