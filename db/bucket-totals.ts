import type { Database } from 'better-sqlite3';
import { type Bucket, MAX_COUNT, MAX_SOURCES } from '#core/schema/usage.ts';
import { sourcesIn } from './sources.ts';
import { statementsIn } from './statements.ts';

/** How many sources count. For an operator with few, each is the number of all its sources, an upper bound. */
type SourceCounts = Record<keyof typeof MAX_SOURCES, number>;

export interface BucketTotals extends SourceCounts {
  /** All tokens; infinite if more than 2^53-1. */
  total: number;
  /** All current daily counts, including those that do not count. */
  standing: number;
}

type Source = Pick<Bucket, 'model' | 'provider' | 'tool'>;
type Sums = Pick<BucketTotals, 'standing' | 'total'>;

const SUMS = `coalesce(sum(input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0))
  FILTER (WHERE counts = 1), 0) AS total, count(*) AS standing`;

/** So few sources are not compared by name, because no limit is lower. */
const FEW_SOURCES = Math.min(...Object.values(MAX_SOURCES));

/** Sums up all daily counts of an operator, which each submission does twice. */
export function totalsIn(db: Database) {
  const sql = statementsIn(db);
  const { named } = sourcesIn(db);
  const sums = sql.get<(operator_id: number) => Sums & { sources: number; unmoved: 0 | 1 }>(`
    SELECT ${SUMS},
      (SELECT count(*) FROM sources WHERE operator_id = @operator_id) AS sources,
      EXISTS (SELECT 1 FROM unmoved_buckets WHERE operator_id = @operator_id) AS unmoved
    FROM daily_counts WHERE operator_id = @operator_id`);
  const unmovedSums = sql.get<(operator_id: number) => Sums>(
    `SELECT ${SUMS} FROM unmoved_buckets WHERE operator_id = ?`,
  );
  const numbers = sql.values<(operator_id: number) => number[]>(`
    SELECT DISTINCT source FROM daily_counts WHERE operator_id = ? AND counts = 1`);
  const unmovedSources = sql.all<(operator_id: number) => Source[]>(`
    SELECT DISTINCT tool, provider, model FROM unmoved_buckets WHERE operator_id = ? AND counts = 1`);

  function sourcesOf(operator_id: number): Source[] {
    const counting = new Set(numbers(operator_id));
    return [
      ...named(operator_id).filter(({ source }) => counting.has(source)),
      ...unmovedSources(operator_id),
    ];
  }

  return (operator_id: number): BucketTotals => {
    const { total: moved, standing, sources, unmoved } = sums(operator_id);
    const earlier = unmoved === 1 ? unmovedSums(operator_id) : { total: 0, standing: 0 };
    const total = moved + earlier.total;
    const isFew = unmoved === 0 && sources <= FEW_SOURCES;
    return {
      total: total > MAX_COUNT ? Number.POSITIVE_INFINITY : total,
      standing: standing + earlier.standing,
      ...(isFew ? atMost(sources) : countsOf(sourcesOf(operator_id))),
    };
  };
}

function countsOf(sources: readonly Source[]): SourceCounts {
  const count = (nameOf: (source: Source) => string) => new Set(sources.map(nameOf)).size;
  return {
    tools: count(({ tool }) => tool),
    providers: count(({ provider }) => provider),
    models: count(({ model }) => model),
    pairs: count(({ provider, model }) => `${provider}\n${model}`),
  };
}

function atMost(sources: number): SourceCounts {
  return { tools: sources, providers: sources, models: sources, pairs: sources };
}
