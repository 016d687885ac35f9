import type { Database } from 'better-sqlite3';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { sourcesIn } from './sources.ts';
import { statementsIn } from './statements.ts';

export interface BucketTotals {
  /** All tokens; infinite if more than 2^53-1. */
  total: number;
  tools: number;
  providers: number;
  models: number;
  pairs: number;
  /** All current daily counts, including those that do not count. */
  standing: number;
}

type Source = Pick<Bucket, 'model' | 'provider' | 'tool'>;
type Sums = Pick<BucketTotals, 'standing' | 'total'>;

/** Sums up all daily counts of an operator, which each submission does twice. */
export function totalsIn(db: Database) {
  const sql = statementsIn(db);
  const { named } = sourcesIn(db);
  const sumsOf = (table: string) =>
    sql.get<(operator_id: number) => Sums>(`
      SELECT coalesce(sum(input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0))
        FILTER (WHERE counts = 1), 0) AS total, count(*) AS standing
      FROM ${table} WHERE operator_id = ?`);
  const moved = sumsOf('daily_counts');
  const unmoved = sumsOf('unmoved_buckets');
  const numbers = sql.values<(operator_id: number) => number[]>(`
    SELECT DISTINCT source FROM daily_counts WHERE operator_id = ? AND counts = 1`);
  const unmovedSources = sql.all<(operator_id: number) => Source[]>(`
    SELECT DISTINCT tool, provider, model FROM unmoved_buckets WHERE operator_id = ? AND counts = 1`);

  return (operator_id: number): BucketTotals => {
    const counting = new Set(numbers(operator_id));
    const sources: Source[] = named(operator_id).filter(({ source }) => counting.has(source));
    const sums = moved(operator_id);
    const earlier = unmoved(operator_id);
    if (earlier.standing > 0) sources.push(...unmovedSources(operator_id));
    const total = sums.total + earlier.total;
    const count = (nameOf: (source: Source) => string) => new Set(sources.map(nameOf)).size;
    return {
      total: total > MAX_COUNT ? Number.POSITIVE_INFINITY : total,
      tools: count(({ tool }) => tool),
      providers: count(({ provider }) => provider),
      models: count(({ model }) => model),
      pairs: count(({ provider, model }) => `${provider}\n${model}`),
      standing: sums.standing + earlier.standing,
    };
  };
}
