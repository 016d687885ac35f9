/** Recomputes the Merkle tree from the log's entries and compares it with the stored tiles. */
import type { DatabaseInspection } from '#db/engine/inspection.ts';
import { Findings } from '#core/domain/log/log-finding.ts';
import { TILE_WIDTH, hashesOf, rootOfHashes, tilePath } from '#core/domain/tlog/tile.ts';
import { type Hash, leafHash } from '#core/domain/tlog/tree.ts';
import { sha256 } from '../process/crypto.ts';
import type { WholeFinding, WholeFindings } from './log.ts';

type Tiles = NonNullable<ReturnType<DatabaseInspection['tiles']>>;

/**
 * Compares all stored tiles.
 *
 * @returns Sentences about what was not checked.
 */
export function checkTiles(board: DatabaseInspection, findings: WholeFindings): string[] {
  const tiles = board.tiles();
  if (!tiles) return [];
  const check = new TilesCheck(tiles, findings);
  check.run();
  const missing = tiles.missing();
  return missing > 0
    ? [`The tree does not have ${missing} entries yet. The server adds them while it runs`]
    : [];
}

/** The first faults of the stored tiles, as sentences. */
export function tileFaults(board: DatabaseInspection): string[] {
  const findings = new Findings<WholeFinding>();
  checkTiles(board, findings);
  return findings.kept.map(({ message }) => message);
}

class TilesCheck {
  readonly #tiles: Tiles;
  readonly #findings: WholeFindings;
  #compared = 0;

  constructor(tiles: Tiles, findings: WholeFindings) {
    this.#tiles = tiles;
    this.#findings = findings;
  }

  run(): void {
    let roots = this.#compareEntries();
    if (!roots) return;
    for (let level = 1; roots.length > 0; level += 1) roots = this.#compareLevel(level, roots);
    const others = this.#tiles.count() - this.#compared;
    if (others > 0) this.#report(`${others} stored tiles do not belong to the tree`);
  }

  /** Returns the roots of the full tiles of entries, as they should be; null if entries are missing. */
  #compareEntries(): Hash[] | null {
    const roots: Hash[] = [];
    for (let number = 0; number < this.#tiles.full(); number += 1) {
      const hashes = this.#tiles.entries(number).map((entry) => leafHash(entry, sha256));
      const wrong = this.#compare(0, number, hashes);
      const log_index = number * TILE_WIDTH + wrong + 1;
      const message = `the hash of entry ${log_index} in ${nameOf(0, number)} differs from the log`;
      if (wrong >= 0) this.#report(message, log_index);
      if (hashes.length < TILE_WIDTH) return null;
      roots.push(rootOfHashes(hashes, sha256));
    }
    return roots;
  }

  /** Returns the roots of the level's full tiles, as they should be. */
  #compareLevel(level: number, below: readonly Hash[]): Hash[] {
    const roots: Hash[] = [];
    for (let first = 0; first < below.length; first += TILE_WIDTH) {
      const hashes = below.slice(first, first + TILE_WIDTH);
      const wrong = this.#compare(level, first / TILE_WIDTH, hashes);
      const [name, part] = [nameOf(level, first / TILE_WIDTH), nameOf(level - 1, first + wrong)];
      if (wrong >= 0) this.#report(`the hash of ${part} in ${name} differs from the log`);
      if (hashes.length === TILE_WIDTH) roots.push(rootOfHashes(hashes, sha256));
    }
    return roots;
  }

  /** Returns the place of the first hash that is wrong or missing; -1 if there is none. */
  #compare(level: number, number: number, expected: readonly Hash[]): number {
    const bytes = this.#tiles.stored(level, number);
    const stored = bytes ? hashesOf(bytes) : [];
    if (bytes) this.#compared += 1;
    const longer = stored.length > expected.length ? stored : expected;
    return longer.findIndex((_, at) => !isSame(stored[at], expected[at]));
  }

  #report(message: string, log_index?: number): void {
    const at = log_index === undefined ? {} : { log_index };
    this.#findings.add({ code: 'tile', message, ...at });
  }
}

function nameOf(level: number, number: number): string {
  return tilePath({ level, number, width: TILE_WIDTH });
}

function isSame(one: Hash | undefined, other: Hash | undefined): boolean {
  return one !== undefined && other !== undefined && Buffer.compare(one, other) === 0;
}
