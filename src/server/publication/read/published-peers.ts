import { isAlias } from '#core/domain/account/codename.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { partsInSlice } from '#core/domain/board/breakdown.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { addReported, reportsRead, type BucketSource } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import {
  type PeerCandidate,
  type PeerColumns,
  type PeerField,
  peerFieldOf,
  SHAPE_LENGTH,
  type Side,
} from '#core/domain/peers/peer-field.ts';
import {
  type BoardColumns,
  type PartColumns,
  partsAt,
  PILLARS,
  type SharedColumns,
} from './columns.ts';
import { indexIn, type PublishedOperators } from './published-operators.ts';
import { lowAt, STANDING_NUMBERS } from './standing-numbers.ts';

/** The operators ranked by yield on one board, for comparisons with each other. */
export interface PublishedPeers {
  field: PeerField;
  /** The index of an operator in the field; null for an unranked operator. */
  indexOf(codename: string): number | null;
}

interface Source {
  people: PublishedOperators;
  shared: SharedColumns;
  columns: BoardColumns;
}

export function publishedPeers(source: Source): PublishedPeers {
  const { people, columns } = source;
  // Rows are in the order of names.
  const rows = columns.rankings.yield.ranked
    .filter((row) => !people.isWithheld(columns.operators[row] as number))
    .sort();
  const positions = Uint32Array.from(rows, (row) => columns.operators[row] as number);
  return {
    field: fieldOf(source, rows, positions),
    indexOf(codename) {
      const position = people.positionOf(codename);
      if (position === null) return null;
      return indexIn(positions.length, position, (at) => positions[at] as number);
    },
  };
}

function fieldOf(source: Source, rows: Uint32Array, positions: Uint32Array): PeerField {
  const { people, shared, columns } = source;
  const size = rows.length;
  const parts = new PeerParts(partsOfWindow(source), shared.sources, columns.slice);
  const counts = new Float64Array(size * SHAPE_LENGTH);
  const toolsOf = Uint32Array.from(positions, (position, at) =>
    parts.read(position, counts, at * SHAPE_LENGTH),
  );
  const leverage = sideOf(columns, rows, 'leverage');
  const velocity = sideOf(columns, rows, 'velocity');
  const chosen = {
    size,
    // Classes are numbered as in `CLASS_TIERS`. Unclassed operators are not ranked.
    tiers: Uint8Array.from(positions, (position) => people.classAt(position)),
    isOpen: Uint8Array.from(positions, (position) =>
      isAlias(people.codenameAt(position)) ? 0 : 1,
    ),
    counts,
    conservative: { leverage: leverage.conservative, velocity: velocity.conservative },
    toolLists: parts.toolLists,
    toolsOf,
    ranked: { leverage: leverage.ranked, velocity: velocity.ranked },
  };
  const ranks = ranksByRow(columns);
  const candidate = (at: number) => {
    const rank = ranks[rows[at] as number] as number;
    return candidateOf(source, chosen, { at, position: positions[at] as number, rank });
  };
  return peerFieldOf({ ...chosen, candidate });
}

function candidateOf(
  source: Source,
  { conservative, isOpen, toolLists, toolsOf }: Omit<PeerColumns, 'candidate'>,
  { at, position, rank }: { at: number; position: number; rank: number },
): PeerCandidate {
  const { people, shared, columns } = source;
  const { codename, display_name, class_tier } = people.at(position);
  const parts = partsAt(partsOfWindow(source), shared.sources, position);
  return {
    codename,
    display_name,
    class_tier,
    isOpen: isOpen[at] === 1,
    rank,
    counts: sumPillars(partsInSlice(parts, columns.slice).filter(reportsRead)),
    conservative: {
      leverage: conservative.leverage[at] as number,
      velocity: conservative.velocity[at] as number,
    },
    tools: toolLists[toolsOf[at] as number] ?? [],
  };
}

/** One metric's conservative values: of each candidate, NaN if unranked, and of all ranked operators. */
function sideOf({ rankings, standings, operators }: BoardColumns, rows: Uint32Array, side: Side) {
  const index = METRIC_NAMES.indexOf(side);
  const byRow = new Float64Array(operators.length).fill(Number.NaN);
  const ranked = Float64Array.from(rankings[side].ranked, (row) => {
    const low = lowAt(standings, row * STANDING_NUMBERS, index);
    byRow[row] = low;
    return low;
  });
  return { ranked, conservative: Float64Array.from(rows, (row) => byRow[row] as number) };
}

function ranksByRow({ rankings, operators }: BoardColumns): Uint32Array {
  const { ranked, ranks } = rankings.yield;
  const byRow = new Uint32Array(operators.length);
  ranked.forEach((row, place) => {
    byRow[row] = ranks[place] as number;
  });
  return byRow;
}

function partsOfWindow({ shared, columns }: Source): PartColumns {
  const found = shared.parts.find(({ window }) => window === columns.window);
  if (!found) throw new Error(`There are no parts of ${columns.window}`);
  return found;
}

class PeerParts {
  readonly toolLists: string[][] = [];
  readonly #parts: PartColumns;
  readonly #tools: readonly string[];
  /** The index of each source's tool in `#tools`; -1 if the source does not count. */
  readonly #toolOf: Int32Array;
  readonly #known = new Map<string, number>();

  constructor(parts: PartColumns, sources: readonly BucketSource[], { tool, trust }: BoardSlice) {
    this.#parts = parts;
    this.#tools = [...new Set(sources.map((source) => source.tool))].sort();
    const places = new Map(this.#tools.map((name, place) => [name, place]));
    this.#toolOf = Int32Array.from(sources, (source) => {
      const isOfTool = tool === null || source.tool === tool;
      const counts = isOfTool && (trust === 'all' || source.trust === trust);
      return counts ? (places.get(source.tool) ?? -1) : -1;
    });
  }

  /**
   * Adds up one operator's parts. Writes input, output and cache_read, from sources that report cache reads, starting
   * at an index. Returns the index of the operator's list of tools.
   */
  read(position: number, counts: Float64Array, at: number): number {
    const { offsets, sources, pillars } = this.#parts;
    const totals = new Map<number, number>();
    const end = offsets[position + 1] as number;
    for (let part = offsets[position] as number; part < end; part += 1) {
      const tool = this.#toolOf[sources[part] as number] as number;
      if (tool < 0) continue;
      const first = part * PILLARS;
      const input = pillars[first] as number;
      const output = pillars[first + 1] as number;
      const read = pillars[first + 3] as number;
      const total = addReported(input + output, addReported(pillars[first + 2] as number, read));
      totals.set(tool, (totals.get(tool) ?? 0) + total);
      if (Number.isNaN(read)) continue;
      counts[at] = (counts[at] as number) + input;
      counts[at + 1] = (counts[at + 1] as number) + output;
      counts[at + 2] = (counts[at + 2] as number) + read;
    }
    return this.#listOf(totals);
  }

  /** @param totals The tokens of each tool. */
  #listOf(totals: ReadonlyMap<number, number>): number {
    const used = [...totals].filter(([, total]) => total > 0);
    used.sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b);
    const key = used.map(([tool]) => tool).join();
    let list = this.#known.get(key);
    if (list === undefined) {
      list = this.toolLists.push(used.map(([tool]) => this.#tools[tool] as string)) - 1;
      this.#known.set(key, list);
    }
    return list;
  }
}
