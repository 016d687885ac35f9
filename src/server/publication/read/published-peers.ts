import { isAlias } from '#core/domain/account/codename.ts';
import { partsInSlice } from '#core/domain/board/breakdown.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { addReported, reportsRead } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import {
  type PeerCandidate,
  type PeerColumns,
  type PeerField,
  peerFieldOf,
  SHAPE_LENGTH,
  type Side,
} from '#core/domain/peers/peer-field.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { type NumberBlocks, placeAt } from '../state/blocks.ts';
import type { BoardOrders, BoardState } from '../state/board-state.ts';
import { boardPlace, PART_NUMBERS, partsIn, partsPosition, rowIn } from '../state/sheet.ts';
import { rankingAt } from '../state/standing-row.ts';
import type { PublishedOperators } from './published-operators.ts';
import { Ranking } from './ranking.ts';

/** The operators ranked by yield on one board, for comparisons with each other. */
export interface PublishedPeers {
  field: PeerField;
  /** The index of an operator in the field; null for an unranked operator. */
  indexOf(codename: string): number | null;
}

interface Source {
  people: PublishedOperators;
  state: BoardState;
  board: BoardOrders;
}

/** Operators read in a step, which takes some milliseconds. */
const STEP = 2_000;

/** Reads the operators in steps, because they are many on a large board. */
export function* publishedPeers(source: Source): Generator<void, PublishedPeers> {
  const { people, state, board } = source;
  const { ranked } = board.orders.yield;
  const isRanked = new Uint8Array(state.operators.ids.length);
  for (const slot of ranked) isRanked[slot] = people.isWithheld(slot) ? 0 : 1;
  const slots = state.operators.byName.filter((slot) => isRanked[slot] === 1);
  const indexes = new Map(Array.from(slots, (slot, index) => [slot, index]));
  const field = yield* fieldOf(source, slots);
  return {
    field,
    indexOf(codename) {
      const slot = people.positionOf(codename);
      return slot === null ? null : (indexes.get(slot) ?? null);
    },
  };
}

function* fieldOf(source: Source, slots: Uint32Array): Generator<void, PeerField> {
  const operators = yield* operatorColumns(source, slots);
  const leverage = sideOf(source, slots, 'leverage');
  yield;
  const velocity = sideOf(source, slots, 'velocity');
  yield;
  const chosen = {
    ...operators,
    conservative: { leverage: leverage.conservative, velocity: velocity.conservative },
    ranked: { leverage: leverage.ranked, velocity: velocity.ranked },
  };
  const ranking = new Ranking(source.board.orders.yield, 'yield', rowsOf(source));
  const candidate = (at: number) =>
    candidateOf({ ...source, ranking }, chosen, { at, slot: slots[at] as number });
  return peerFieldOf({ ...chosen, candidate });
}

function* operatorColumns({ people, state, board }: Source, slots: Uint32Array) {
  const size = slots.length;
  const parts = new PeerParts(state, board);
  const counts = new Float64Array(size * SHAPE_LENGTH);
  const toolsOf = new Uint32Array(size);
  // Classes are numbered as in `CLASS_TIERS`. Unclassed operators are not ranked.
  const tiers = new Uint8Array(size);
  const isOpen = new Uint8Array(size);
  for (let at = 0; at < size; at += 1) {
    if (at % STEP === 0) yield;
    const slot = slots[at] as number;
    toolsOf[at] = parts.read(slot, counts, at * SHAPE_LENGTH);
    tiers[at] = people.classAt(slot);
    isOpen[at] = isAlias(people.codenameAt(slot)) ? 0 : 1;
  }
  return { size, tiers, isOpen, counts, toolLists: parts.toolLists, toolsOf };
}

function candidateOf(
  { people, state, board, ranking }: Source & { ranking: Ranking },
  { conservative, isOpen, toolLists, toolsOf }: Omit<PeerColumns, 'candidate'>,
  { at, slot }: { at: number; slot: number },
): PeerCandidate {
  const { codename, display_name, class_tier } = people.at(slot);
  const sheet = state.operators.sheets[slot] as number;
  const parts = partsIn(state.numbers, sheet, WINDOWS.indexOf(board.window), state.sources);
  const place = ranking.placeOf(slot, (one) => people.codenameAt(one)) ?? 0;
  return {
    codename,
    display_name,
    class_tier,
    isOpen: isOpen[at] === 1,
    rank: ranking.rankAt(place),
    counts: sumPillars(partsInSlice(parts, board.slice).filter(reportsRead)),
    conservative: {
      leverage: conservative.leverage[at] as number,
      velocity: conservative.velocity[at] as number,
    },
    tools: toolLists[toolsOf[at] as number] ?? [],
  };
}

/** One metric's conservative values: of each candidate, NaN if unranked, and of all ranked operators. */
function sideOf(source: Source, slots: Uint32Array, side: Side) {
  const index = METRIC_NAMES.indexOf(side);
  const bySlot = new Float64Array(source.state.operators.ids.length).fill(Number.NaN);
  const rowOf = rowsOf(source);
  const ranked = Float64Array.from(source.board.orders[side].ranked, (slot) => {
    const { numbers, at } = rowOf(slot);
    const low = rankingAt(numbers, at, index);
    bySlot[slot] = low;
    return low;
  });
  return { ranked, conservative: Float64Array.from(slots, (slot) => bySlot[slot] as number) };
}

function rowsOf({ state: { numbers, operators, toolNames }, board }: Source) {
  const place = boardPlace(toolNames, board.slice, board.window);
  return (slot: number) => {
    const position = rowIn(numbers, operators.sheets[slot] as number, place);
    return placeAt(numbers, position);
  };
}

class PeerParts {
  readonly toolLists: string[][] = [];
  readonly #numbers: NumberBlocks;
  readonly #sheets: Uint32Array;
  readonly #window: number;
  readonly #tools: readonly string[];
  /** The index of each source's tool in `#tools`; -1 if the source does not count. */
  readonly #toolOf: Int32Array;
  readonly #known = new Map<string, number>();

  constructor({ numbers, operators, sources }: BoardState, { window, slice }: BoardOrders) {
    const { tool, trust } = slice;
    this.#numbers = numbers;
    this.#sheets = operators.sheets;
    this.#window = WINDOWS.indexOf(window);
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
  read(slot: number, counts: Float64Array, at: number): number {
    const position = partsPosition(this.#numbers, this.#sheets[slot] as number, this.#window);
    const { numbers: block, at: start } = placeAt(this.#numbers, position);
    const totals = new Map<number, number>();
    const end = start + 1 + (block[start] as number) * PART_NUMBERS;
    for (let part = start + 1; part < end; part += PART_NUMBERS) {
      const tool = this.#toolOf[block[part] as number] as number;
      if (tool < 0) continue;
      const input = block[part + 1] as number;
      const output = block[part + 2] as number;
      const read = block[part + 4] as number;
      const total = addReported(input + output, addReported(block[part + 3] as number, read));
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
