import { dayNumber } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import type { ProjectedRow } from '#db/operator-changes.ts';
import type { Store } from '#db/store.ts';
import type { NumberHeap } from '../state/blocks.ts';
import { OperatorWriter, type ProjectedOperator, type Term } from './project-operator.ts';
import type { Projected } from './read-changes.ts';
import type { Registry } from './registry.ts';
import { statedInTerm } from './stated-days.ts';

/** Operators that are read at once. */
const CHUNK = 500;

/** Operators by ID, both included. */
export interface IdRange {
  first: number;
  last: number;
}

/** Computes the sheets of operators on a day, with those rows of another day that stay the same. */
export class SheetMaker {
  readonly #store: Store;
  readonly #term: Term;
  readonly #writer: OperatorWriter;
  readonly #earlier: Projected | null;
  readonly #slots: ReadonlyMap<number, number>;

  /** @param earlier What was found on another day, and the slots of its operators by ID. */
  constructor(
    store: Store,
    { heap, registry, term }: { heap: NumberHeap; registry: Registry; term: Term },
    earlier: { projected: Projected; slots: ReadonlyMap<number, number> } | null,
  ) {
    this.#store = store;
    this.#term = term;
    this.#writer = new OperatorWriter(heap, registry, term);
    this.#earlier = earlier?.projected ?? null;
    this.#slots = earlier?.slots ?? new Map();
  }

  /** @param usage What counts for the operator. */
  make(row: Pick<ProjectedRow, 'id' | 'log_index'>, usage: readonly DayUsage[]): ProjectedOperator {
    const stated = statedInTerm(this.#store, row.id, usage, this.#term);
    return this.#writer.write(usage, stated, this.#earlierSheet(row));
  }

  /** The sheet of another day, if the operator's counts are the same as then. */
  #earlierSheet({ id, log_index }: Pick<ProjectedRow, 'id' | 'log_index'>) {
    const slot = this.#slots.get(id);
    if (!this.#earlier || slot === undefined || log_index > this.#earlier.log_index) return null;
    const { as_of, state } = this.#earlier;
    const sheet = state.operators.sheets[slot] as number;
    return sheet === 0 ? null : { numbers: state.numbers, sheet, last: dayNumber(as_of) };
  }
}

/** Reads the operators of a range in the order of their IDs. */
export function* rowsIn(store: Store, { first, last }: IdRange): Generator<ProjectedRow> {
  for (let after = first - 1; after < last;) {
    const rows = store.operatorChanges.after(after, CHUNK).filter(({ id }) => id <= last);
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    yield* rows;
    after = end;
  }
}

/** The same, with what counts for each. */
export function* operatorsIn(
  store: Store,
  { first, last }: IdRange,
): Generator<{ row: ProjectedRow; usage: readonly DayUsage[] }> {
  for (let after = first - 1; after < last;) {
    const rows = store.operatorChanges.after(after, CHUNK).filter(({ id }) => id <= last);
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    const usage = new Map<number, DayUsage[]>();
    for (const found of store.usage.ofRange({ first: after + 1, last: end })) {
      usage.set(found.operator_id, found.usage);
    }
    for (const row of rows) yield { row, usage: usage.get(row.id) ?? [] };
    after = end;
  }
}
