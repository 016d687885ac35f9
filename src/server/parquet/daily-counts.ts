/** The daily counts of open operators as rows of a Parquet file, and what the file says about itself. */
import type { KeyValue, SchemaElement } from 'hyparquet-writer';
import { shownCohort } from '#core/domain/board/visibility.ts';
import { utcDay } from '#core/domain/counting/day.ts';
import type { Store } from '#db/store.ts';

/** Changes when a column is renamed, removed or gets another meaning. Columns can be added without a new version. */
const SCHEMA_VERSION = 1;

type Cell = bigint | number | string | null;

function text(name: string, repetition_type: SchemaElement['repetition_type'] = 'REQUIRED') {
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type } as const;
}

function count(name: string, repetition_type: SchemaElement['repetition_type'] = 'REQUIRED') {
  return { name, type: 'INT64', repetition_type } as const;
}

const COLUMNS: readonly SchemaElement[] = [
  { name: 'day', type: 'INT32', converted_type: 'DATE', repetition_type: 'REQUIRED' },
  text('operator'),
  text('cohort', 'OPTIONAL'),
  text('tool'),
  text('provider'),
  text('model'),
  text('trust'),
  count('input'),
  count('output'),
  count('cache_write', 'OPTIONAL'),
  count('cache_read', 'OPTIONAL'),
  count('log_index'),
];

export const SCHEMA: SchemaElement[] = [{ name: 'root', num_children: COLUMNS.length }, ...COLUMNS];

export interface DailyCountsSource {
  store: Store;
  baseUrl: string;
  /** The ID of the ranking rules. */
  ruleset: string;
  now: Date;
}

/** The state of the board that a file follows: all log entries up to an index are in it. */
export interface DailyCountsHead {
  as_of: string;
  log_index: number;
}

/** @throws {Error} if the board was never started. */
export function headOf({ store, now }: DailyCountsSource): DailyCountsHead {
  const head = store.log.head();
  if (!head) throw new Error('A board that was started must have log entries');
  return { as_of: utcDay(now.getTime()), log_index: head.index };
}

export function metadataOf(source: DailyCountsSource, head: DailyCountsHead): KeyValue[] {
  const { baseUrl, ruleset } = source;
  const facts = {
    schema: SCHEMA_VERSION,
    board: baseUrl,
    as_of: head.as_of,
    log_index: head.log_index,
    ruleset,
    terms: `Operators can hide or delete their counts at any time. Replace this file at least every 30 days. See ${baseUrl}/privacy#use`,
  };
  return Object.entries(facts).map(([key, value]) => ({ key, value: String(value) }));
}

/** Rows as columns, in the order of the schema. */
export class RowGroup {
  readonly #cells: Cell[][] = COLUMNS.map(() => []);
  rows = 0;

  add(row: readonly Cell[]): void {
    row.forEach((cell, at) => this.#cells[at]?.push(cell));
    this.rows += 1;
  }

  get columns() {
    return COLUMNS.map(({ name }, at) => ({ name, data: this.#cells[at] ?? [] }));
  }
}

/** Operators per query. */
const OPERATORS = 100;

/**
 * The daily counts that count, operator by operator and by day. Neither memory nor a transaction grows with the board.
 * The caller must check at the end whether an operator's visibility has changed.
 */
export function* rowsOf({ store: { corpus } }: DailyCountsSource): Generator<Cell[]> {
  let after = '';
  for (;;) {
    const operators = corpus.operatorsByName(after, OPERATORS);
    for (const operator of operators) {
      const { id, public_name } = operator;
      const cohort = shownCohort(operator);
      for (const [day, tool, provider, model, trust, ...counts] of corpus.counts(id)) {
        yield [day, public_name, cohort, tool, provider, model, trust, ...counts.map(integer)];
      }
      after = public_name;
    }
    if (operators.length < OPERATORS) return;
  }
}

function integer(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
