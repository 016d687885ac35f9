import type { Database } from 'better-sqlite3';
import { decodeUsage } from '#core/domain/counting/usage-block.ts';
import type { BucketSource, DayUsage } from '#core/domain/metrics/day-series.ts';
import type { Trust } from '#core/schema/submission.ts';
import { type BucketPart, endsOf, IN_PART } from './bucket-rows.ts';
import { statementsIn } from './statements.ts';

export interface OperatorUsage {
  operator_id: number;
  /** Sorted by day. Daily counts of the same source share one object. */
  usage: DayUsage[];
}

/** Operators by ID, both included. */
interface OperatorRange {
  first: number;
  last: number;
}

type BlockTuple = [operator_id: number, month: number, body: Uint8Array | null];
type SourceTuple = [
  operator_id: number,
  source: number,
  tool: string,
  provider: string,
  model: string,
];
/** What an operator's device stated for a day and a source, and counts. The day is a number. */
export type CountTuple = [
  day: number,
  tool: string,
  provider: string,
  model: string,
  trust: Trust,
  input: number,
  output: number,
  cache_write: number | null,
  cache_read: number | null,
];

/** How many operator IDs are read at a time. */
const OPERATORS = 128;

/** What counts for each operator, from packed months, or from rows where no packed month is complete. */
export function usageIn(db: Database) {
  const sql = statementsIn(db);
  const blocks = sql.tuples<(of: object) => BlockTuple[]>(`
    SELECT operator_id, month, body FROM usage_blocks
    WHERE operator_id BETWEEN @first AND @last ORDER BY operator_id, month`);
  const sources = sql.tuples<(of: object) => SourceTuple[]>(`
    SELECT operator_id, source, tool, provider, model FROM sources
    WHERE operator_id BETWEEN @first AND @last ORDER BY operator_id`);
  const unmoved = sql.values<(of: object) => number[]>(`
    SELECT DISTINCT operator_id FROM unmoved_buckets WHERE operator_id BETWEEN @first AND @last`);
  const rows = sql.tuples<(operator_id: number) => CountTuple[]>(`
    SELECT day_number, tool, provider, model,
      (SELECT trust FROM devices WHERE id = device_id), input, output, cache_write, cache_read
    FROM buckets WHERE operator_id = ? AND counts = 1 ORDER BY day_number`);
  const signed = sql.tuples<(of: object) => CountTuple[]>(`
    SELECT day_number, tool, provider, model, 'signed', input, output, cache_write, cache_read
    FROM buckets WHERE ${IN_PART} AND counts = 1
      AND device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
    ORDER BY day_number`);

  function* inRange(range: OperatorRange): Generator<OperatorUsage> {
    const packed = Map.groupBy(blocks(range), ([operator_id]) => operator_id);
    const named = Map.groupBy(sources(range), ([operator_id]) => operator_id);
    const inRows = new Set(unmoved(range));
    const ids =
      inRows.size === 0 ? [...packed.keys()] : [...new Set([...packed.keys(), ...inRows])];
    for (const operator_id of inRows.size === 0 ? ids : ids.sort((a, b) => a - b)) {
      const own = packed.get(operator_id) ?? [];
      const isPacked = !inRows.has(operator_id) && own.every(([, , body]) => body !== null);
      const usage = isPacked
        ? unpacked(own, named.get(operator_id) ?? [])
        : fromRows(rows(operator_id));
      yield { operator_id, usage };
    }
  }

  return {
    /** What counts for an operator. */
    of(operator_id: number): DayUsage[] {
      const [found] = inRange({ first: operator_id, last: operator_id });
      return found?.usage ?? [];
    },
    /** What counts for an operator in some days, or a part of them, and was signed by devices; sorted by day. */
    signed: (part: BucketPart): DayUsage[] => fromRows(signed(endsOf(part))),
    /** What counts for each operator in a range with any daily count, by ID. Call it inside a snapshot. */
    *ofRange({ first, last }: OperatorRange): Generator<OperatorUsage> {
      for (let id = first; id <= last; id += OPERATORS) {
        yield* inRange({ first: id, last: Math.min(last, id + OPERATORS - 1) });
      }
    },
  };
}

function unpacked(blocks: readonly BlockTuple[], sources: readonly SourceTuple[]): DayUsage[] {
  const known = new Map(sources.map((row) => [row[1], row]));
  const objects: BucketSource[] = [];
  const sourceOf = (source: number, isSelfReported: boolean): BucketSource => {
    const [, , tool, provider, model] = known.get(source) as SourceTuple;
    const trust = isSelfReported ? 'self_reported' : 'signed';
    return (objects[2 * source + (isSelfReported ? 1 : 0)] ??= { tool, provider, model, trust });
  };
  const usage: DayUsage[] = [];
  for (const [, month, body] of blocks) {
    decodeUsage({ month, body: body as Uint8Array }, sourceOf, usage);
  }
  return usage;
}

function fromRows(rows: readonly CountTuple[]): DayUsage[] {
  const known = new Map<string, BucketSource>();
  return rows.map(([day, tool, provider, model, trust, input, output, cache_write, cache_read]) => {
    const name = `${tool}\n${provider}\n${model}\n${trust}`;
    let source = known.get(name);
    if (!source) known.set(name, (source = { tool, provider, model, trust }));
    return { day, source, input, output, cache_write, cache_read };
  });
}
