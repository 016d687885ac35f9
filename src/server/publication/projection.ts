import type { Store } from '#db/store.ts';
import type { OperatorSummary, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Contender, rankContenders } from '#core/domain/board.ts';
import { dayName, dayNumber } from '#core/domain/day.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import type { Ruleset } from '#core/domain/ruleset.ts';
import {
  BASES,
  type Basis,
  type DayUsage,
  type Standing,
  standingOf,
  totalsOf,
} from '#core/domain/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import { type BoardColumns, type WindowColumns, jsonColumn } from './columns.ts';

interface ProjectedOperator {
  codename: string;
  /** Signed buckets that count, by day. */
  usage: DayUsage[];
  /** Standings computed from that, by the first and last day of their window. */
  standings: Map<string, Standing | null>;
}

/**
 * All operators' days, kept between publications, so that each reads only what changed since.
 * Lives in a thread of its own.
 */
export class Projection {
  readonly #operators = new Map<number, ProjectedOperator>();
  readonly #dayNumbers = new Map<string, number>();
  #logIndex = 0;

  /** Reads what the log has changed; returns the number of entries that it now stands for. */
  refresh(store: Store): number {
    return store.snapshot(() => {
      const logged = new Set(store.operators.logged());
      for (const id of this.#operators.keys()) {
        if (!logged.has(id)) this.#operators.delete(id);
      }
      for (const { id, codename } of store.operators.changedSince(this.#logIndex)) {
        this.#operators.set(id, {
          codename,
          usage: this.#usageOf(store, id),
          standings: new Map(),
        });
      }
      this.#logIndex = store.log.head()?.index ?? 0;
      return this.#logIndex;
    });
  }

  /** The boards of one window that ends with the day `as_of`. */
  project(window: WindowName, as_of: string, ruleset: Ruleset): WindowColumns {
    const last = dayNumber(as_of);
    const contenders = this.#contenders(firstDayOf(window, last), last, ruleset);
    const summaries = contenders.map(summaryOf);
    const column = <Value>(read: (contender: Contender, basis: Basis) => Value) =>
      BASES.map((basis) => [basis, contenders.map((contender) => read(contender, basis))] as const);
    const coverage = column(({ standing }, basis) => standing.coverage[basis] ?? Number.NaN);
    const activeDays = column(({ standing }, basis) => standing.bases[basis].active_days);
    return {
      window,
      summaries: jsonColumn(summaries),
      coverage: fromEntries(coverage, (values) => Float64Array.from(values)),
      active_days: fromEntries(activeDays, (values) => Uint32Array.from(values)),
      boards: fromEntries(
        METRIC_NAMES.map((metric) => [metric, metric] as const),
        (metric) => boardColumns(contenders, metric, window, ruleset),
      ),
    };
  }

  /** All windows' boards. */
  projectAll(as_of: string, ruleset: Ruleset): WindowColumns[] {
    return WINDOWS.map((window) => this.project(window, as_of, ruleset));
  }

  /** In codename order, so that the result does not depend on who came first. */
  #contenders(first: number, last: number, ruleset: Ruleset): Contender[] {
    const contenders: Contender[] = [];
    for (const operator of this.#operators.values()) {
      const { codename } = operator;
      const standing = rememberedStanding(operator, first, last, ruleset);
      if (standing) contenders.push({ codename, standing });
    }
    return contenders.sort((a, b) => (a.codename < b.codename ? -1 : 1));
  }

  #usageOf(store: Store, operatorId: number): DayUsage[] {
    const usage: DayUsage[] = [];
    for (const row of store.buckets.counting(operatorId)) {
      const [day, tool, input, output, cache_write, cache_read, signed] = row;
      if (signed === 0) continue;
      usage.push({ day: this.#dayNumber(day), tool, input, output, cache_write, cache_read });
    }
    return usage;
  }

  #dayNumber(day: string): number {
    let number = this.#dayNumbers.get(day);
    if (number === undefined) {
      number = dayNumber(day);
      this.#dayNumbers.set(day, number);
    }
    return number;
  }
}

/** Most operators' days, and the day itself, are what they were at the publication before. */
function rememberedStanding(
  { usage, standings }: ProjectedOperator,
  first: number,
  last: number,
  { active_day_tokens }: Ruleset,
): Standing | null {
  const key = `${first} ${last}`;
  let standing = standings.get(key);
  if (standing === undefined) {
    standing = standingOf(usage, first, last, active_day_tokens);
    if (standings.size >= WINDOWS.length) standings.clear();
    standings.set(key, standing);
  }
  return standing;
}

function summaryOf({ codename, standing }: Contender): OperatorSummary {
  return {
    codename,
    display_name: null,
    trust: 'signed',
    metrics: standing.metrics,
    totals: totalsOf(standing),
    tools: standing.tools,
    last_active: dayName(standing.last_active),
  };
}

function boardColumns(
  contenders: readonly Contender[],
  metric: MetricName,
  window: WindowName,
  ruleset: Ruleset,
): BoardColumns {
  const { ranked, unranked } = rankContenders(contenders, metric, window, ruleset);
  return {
    ranked: Uint32Array.from(ranked, ({ contender }) => contender),
    ranks: Uint32Array.from(ranked, ({ rank }) => rank),
    unranked: Uint32Array.from(unranked, ({ contender }) => contender),
    reasons: jsonColumn(unranked.map(({ reasons }) => reasons)),
  };
}

function fromEntries<Key extends string, Value, Result>(
  entries: readonly (readonly [Key, Value])[],
  map: (value: Value) => Result,
): Record<Key, Result> {
  const mapped = entries.map(([key, value]) => [key, map(value)] as const);
  return Object.fromEntries(mapped) as Record<Key, Result>;
}
