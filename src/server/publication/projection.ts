import type { Store } from '#db/store.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type BoardSlice, rankContenders } from '#core/domain/board.ts';
import { dayNumber } from '#core/domain/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import type { Ruleset } from '#core/domain/ruleset.ts';
import type { UsageSource } from '#core/domain/standing.ts';
import { WINDOWS } from '#core/domain/window.ts';
import {
  type BoardColumns,
  type RankingColumns,
  type SharedColumns,
  partColumns,
  slicesOf,
} from './columns.ts';
import { ProjectedOperator, TOTAL_AT, VALUES_AT } from './projected-operator.ts';
import { type SeenName, seenNames } from './seen-names.ts';
import { STANDING_NUMBERS } from './standing-numbers.ts';
import { UsageReader } from './usage-reader.ts';

/** A tool has boards of its own from so many operators on, and at most so many tools do. */
const MIN_OPERATORS = 2;
const MAX_TOOLS = 50;

/**
 * All operators' rows on the boards of a day, kept between publications, so that each computes only
 * what changed since. Lives in a thread of its own.
 */
export class Projection {
  readonly #ruleset: Ruleset;
  readonly #reader = new UsageReader();
  readonly #operators = new Map<number, ProjectedOperator>();
  #devices = new Map<number, number>();
  #names = new Map<number, SeenName>();
  #logIndex = 0;
  #asOf = '';

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
  }

  /**
   * Reads what the log has changed, or everything for windows that end with another day; returns the
   * number of entries that it now stands for.
   */
  refresh(store: Store, as_of: string): number {
    return store.snapshot(() => {
      if (this.#asOf !== as_of) this.#forgetAll(as_of);
      const logged = new Set(store.operators.logged());
      for (const id of this.#operators.keys()) {
        if (!logged.has(id)) this.#operators.delete(id);
      }
      const term = { last: dayNumber(as_of), ruleset: this.#ruleset };
      for (const { id } of store.operators.changedSince(this.#logIndex)) {
        const usage = this.#reader.read(store.buckets.counting(id));
        this.#operators.set(id, new ProjectedOperator(usage, term));
      }
      this.#devices = new Map(store.devices.signing());
      this.#names = seenNames(store);
      this.#logIndex = store.log.head()?.index ?? 0;
      return this.#logIndex;
    });
  }

  /** The boards as they stand now, of all whom the public may see: others are counted nowhere. */
  project(): ProjectedBoards {
    const members = [...this.#operators]
      .flatMap(([id, operator]): Member[] => {
        const name = this.#names.get(id);
        const devices = this.#devices.get(id) ?? 0;
        return name && operator.tools.length > 0 ? [{ id, operator, devices, ...name }] : [];
      })
      .sort((a, b) => (a.codename < b.codename ? -1 : 1));
    return new ProjectedBoards(members, this.#ruleset);
  }

  #forgetAll(as_of: string): void {
    this.#operators.clear();
    this.#logIndex = 0;
    this.#asOf = as_of;
  }
}

/** An operator who has tokens by the day on which the windows end. */
interface Member extends SeenName {
  id: number;
  operator: ProjectedOperator;
  devices: number;
}

/** The boards of one publication, each made when it is asked for. */
export class ProjectedBoards {
  readonly shared: SharedColumns;
  /** The slices that have boards. */
  readonly slices: readonly BoardSlice[];
  readonly #members: readonly Member[];

  constructor(members: readonly Member[], rules: Ruleset) {
    this.#members = members;
    const tools = toolsWithBoards(members);
    const self_reported = members.some(({ operator }) => operator.isSelfReported);
    const operators = {
      ids: Uint32Array.from(members, ({ id }) => id),
      devices: Uint32Array.from(members, ({ devices }) => devices),
      codenames: members.map(({ codename }) => codename).join('\n'),
      display_names: members.map(({ display_name }) => oneLine(display_name ?? '')).join('\n'),
    };
    this.shared = { rules, tools, self_reported, operators, ...partsOfAll(members) };
    this.slices = slicesOf(this.shared);
  }

  /** The boards of one slice and window. */
  board(slice: BoardSlice, window: WindowName): BoardColumns {
    const rows: { position: number; numbers: Float64Array; at: number }[] = [];
    this.#members.forEach(({ operator }, position) => {
      const at = operator.rowAt(slice, window);
      if (at !== null) rows.push({ position, numbers: operator.rows, at });
    });
    const standings = new Float64Array(rows.length * STANDING_NUMBERS);
    const totals = new Float64Array(rows.length);
    const values = METRIC_NAMES.map(() => new Float64Array(rows.length));
    rows.forEach(({ numbers, at }, row) => {
      standings.set(numbers.subarray(at, at + STANDING_NUMBERS), row * STANDING_NUMBERS);
      totals[row] = numbers[at + TOTAL_AT] as number;
      values.forEach((ofMetric, index) => {
        ofMetric[row] = numbers[at + VALUES_AT + index] as number;
      });
    });
    const rankings = METRIC_NAMES.map((metric, index) => {
      return [metric, rankingColumns(values[index] as Float64Array, totals)];
    });
    return {
      window,
      slice,
      operators: Uint32Array.from(rows, ({ position }) => position),
      standings,
      rankings: Object.fromEntries(rankings) as Record<MetricName, RankingColumns>,
    };
  }
}

/** A line feed would shift all names after it. */
function oneLine(text: string): string {
  return text.replaceAll('\n', ' ');
}

/** The tools that enough operators have tokens in, most operators first, then by name. */
function toolsWithBoards(members: readonly Member[]): string[] {
  const operators = new Map<string, number>();
  for (const { operator } of members) {
    for (const tool of operator.tools) operators.set(tool, (operators.get(tool) ?? 0) + 1);
  }
  return [...operators]
    .filter(([, count]) => count >= MIN_OPERATORS)
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_TOOLS)
    .map(([tool]) => tool);
}

function partsOfAll(members: readonly Member[]): Pick<SharedColumns, 'parts' | 'sources'> {
  const places = new Map<string, number>();
  const sources: UsageSource[] = [];
  const indexOf = (source: UsageSource) => {
    const { tool, provider, model, trust } = source;
    const key = `${tool}\n${provider}\n${model}\n${trust}`;
    let index = places.get(key);
    if (index === undefined) {
      index = sources.push(source) - 1;
      places.set(key, index);
    }
    return index;
  };
  const parts = WINDOWS.map((window) => {
    return partColumns(
      window,
      members.map(({ operator }) => operator.parts[window]),
      indexOf,
    );
  });
  return { sources, parts };
}

function rankingColumns(values: Float64Array, totals: Float64Array): RankingColumns {
  const { ranked, ranks, unranked } = rankContenders(values, totals);
  return {
    ranked: Uint32Array.from(ranked),
    ranks: Uint32Array.from(ranks),
    unranked: Uint32Array.from(unranked),
  };
}
