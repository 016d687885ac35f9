/** What the parts of one window add up to, without an object for each: all operators are looked at. */
import type { BoardSlice } from '#core/domain/board/board.ts';
import { addReported, type UsageSource } from '#core/domain/metrics/day-series.ts';
import { PILLARS, type PartColumns } from './columns.ts';

export class PeerParts {
  /** The different lists of tools, most tokens first. */
  readonly toolLists: string[][] = [];
  readonly #parts: PartColumns;
  readonly #tools: readonly string[];
  /** The place of each source's tool in `#tools`; -1 where the source does not count. */
  readonly #toolOf: Int32Array;
  readonly #known = new Map<string, number>();

  constructor(parts: PartColumns, sources: readonly UsageSource[], { tool, trust }: BoardSlice) {
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
   * Adds up one operator's parts: writes input, output and cache_read, over those that report cache
   * reads, from an index on, and returns which of the lists of tools is the operator's.
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
