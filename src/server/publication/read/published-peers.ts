import { partsInSlice } from '#core/domain/board/breakdown.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { isAlias } from '#core/domain/account/codename.ts';
import { reportsRead } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import {
  type PeerCandidate,
  type PeerColumns,
  type PeerField,
  type Side,
  peerFieldOf,
} from '#core/domain/peers/peer-field.ts';
import { SHAPE_LENGTH } from '#core/domain/peers/shape-distance.ts';
import { type BoardColumns, type PartColumns, type SharedColumns, partsAt } from './columns.ts';
import { PeerParts } from './peer-parts.ts';
import { type PublishedOperators, indexIn } from './published-operators.ts';
import { STANDING_NUMBERS, lowAt } from './standing-numbers.ts';

/** Who is ranked by yield on one board, as far as operators are compared with each other. */
export interface PublishedPeers {
  field: PeerField;
  /** The index of an operator in the field; null for who is not ranked. */
  indexOf(codename: string): number | null;
}

/** A board, and what its rows are made of. */
interface Source {
  people: PublishedOperators;
  shared: SharedColumns;
  columns: BoardColumns;
}

export function publishedPeers(source: Source): PublishedPeers {
  const { people, columns } = source;
  // Rows stand in the order of names.
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
    // Classes are numbered as in `CLASS_TIERS`: who is unclassed is not ranked.
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

/** All of one candidate. */
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

/** One metric's lower ends: of each candidate, NaN while unranked, and of all who are ranked. */
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
