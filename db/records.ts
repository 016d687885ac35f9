import type { Database } from 'better-sqlite3';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import {
  type BucketPart,
  type BucketPlace,
  type DaySpan,
  IN_ORDER,
  EVER,
  IN_PART,
  endsOf,
  partEndsIn,
} from './bucket-rows.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Operator } from './operators.ts';
import { TAKES_PART } from './public-log.ts';
import type { CountTuple } from './usage.ts';
import { statementsIn } from './statements.ts';

export type { BucketPart, DaySpan };

/** The place of a record among its operator's. A submission belongs to one device, so places are unique. */
export interface RecordPlace {
  day: string;
  tool: string;
  log_index: number;
  provider: string;
  model: string;
}

type ShownRecord = Bucket & RecordPlace;

type DayPillars = Pillars & Pick<Bucket, 'day'>;

type SummedDay = [day: string, ...sums: (number | null)[]];

const COUNTING = `SELECT day, day_number, tool, log_index, provider, model, input, output, cache_write, cache_read
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const NEWEST_FIRST = `
  ORDER BY day_number DESC, tool DESC, log_index DESC, provider DESC, model DESC LIMIT @limit`;

/** The daily counts that count, with the columns that are public. */
export function recordsIn(db: Database) {
  const sql = statementsIn(db);
  const first = sql.all<(of: object) => ShownRecord[]>(`${COUNTING} ${NEWEST_FIRST}`);
  const further = sql.all<(of: object) => ShownRecord[]>(`
    ${COUNTING} AND day_number <= @number AND (day, tool, log_index, provider, model)
      < (@day, @tool, @log_index, @provider, @model) ${NEWEST_FIRST}`);
  const count = sql.value<(of: object) => number>(`
    SELECT count(*) FROM buckets WHERE ${IN_PART} AND counts = 1`);
  const countIn = (of: BucketPart) => count(endsOf(of));
  const perSubmission = sql.tuples<(of: object) => [number, number][]>(`
    SELECT log_index, count(*) FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND log_index BETWEEN @first AND @last
    GROUP BY log_index`);
  // The sums stay within 2^53-1.
  const usage = sql.tuples<(of: object) => SummedDay[]>(`
    SELECT day, ${KIND_SUMS} FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND (@tool IS NULL OR tool = @tool)
      AND (@trust = 'all' OR device_id IN
        (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed'))
    GROUP BY day`);
  const signedByTool = sql.tuples<(of: object) => [string, ...SummedDay][]>(`
    SELECT tool, day, ${KIND_SUMS} FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
    GROUP BY day, tool`);
  const usageOf = ({ tool, trust, ...of }: BoardSlice & BucketPart) =>
    usage({ tool, trust, ...endsOf(of) }).flatMap(([day, ...sums]): DayPillars[] =>
      kindsIn(sums).map((pillars) => ({ day, ...pillars })),
    );

  return {
    /** An operator's daily counts that count, newest day first, after `place`. */
    page: (operator_id: number, place: RecordPlace | null, limit: number) =>
      place
        ? further({ operator_id, limit, ...place, number: dayNumber(place.day) })
        : first({ operator_id, limit }),
    total: (operator_id: number) => countIn({ operator_id, ...EVER }),
    countIn,
    /**
     * How many daily counts of each submission in a stretch of the log count, by log index. Submissions without any
     * are left out.
     */
    perSubmission: ({ first, last, ...of }: BucketPart & { first: number; last: number }) =>
      new Map(perSubmission({ first, last, ...endsOf(of) })),
    /** Where a part with this many daily counts ends; null if there are fewer. */
    partEnd: partEndsIn(db),
    /**
     * What counts on the boards of a slice: sums of each day's daily counts that report the same token types, by day.
     */
    usage: usageOf,
    /** Signed daily counts that count: sums for each day and tool of those that report the same token types, by day. */
    signedByTool: (of: BucketPart) =>
      signedByTool(endsOf(of)).flatMap(([tool, day, ...sums]) =>
        kindsIn(sums).map((pillars) => ({ tool, day, ...pillars })),
      ),
    /** The same for signed daily counts of all tools. */
    signedUsage: (of: BucketPart) => usageOf({ ...of, tool: null, trust: 'signed' }),
  };
}

/** An operator whose records are available to anyone with an API key, as last changed by `log_index`. */
export type CorpusOperator = Pick<
  Operator,
  'id' | 'log_index' | 'privacy_mode' | 'public_id' | 'public_name'
>;

export type CorpusBucket = Bucket & BucketPlace & { trust: Trust };

/** Some of an operator's daily counts: those after a place, or after a number of them. */
interface CorpusPage {
  behind: BucketPlace | number;
  limit: number;
}

/** An operator whose daily counts are public, with what decides whether its cohort is. */
type SharedOperator = Pick<Operator, 'cohort_id' | 'data_opt_out' | 'id' | 'privacy_mode'> & {
  public_name: string;
};

/** A daily count, and the index of the log entry that stated it. */
type SharedCount = [...CountTuple, log_index: number];

const BUCKETS = `SELECT day, day_number, tool, device_id, provider, model, input, output, cache_write, cache_read,
    (SELECT trust FROM devices WHERE id = device_id) AS trust
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const NEXT = `ORDER BY ${IN_ORDER} LIMIT @limit`;

/** The records that are provided for research and reuse. */
export function corpusIn(db: Database) {
  const sql = statementsIn(db);
  const first = sql.all<(of: object) => CorpusBucket[]>(`${BUCKETS} ${NEXT} OFFSET @skipped`);
  const further = sql.all<(of: object) => CorpusBucket[]>(`
    ${BUCKETS} AND day_number >= @number AND (day, tool, device_id, provider, model)
      > (@day, @tool, @device_id, @provider, @model) ${NEXT}`);

  return {
    /** Operators whose last change is after a log index, in log order. */
    operators: sql.all<(after: number, limit: number) => CorpusOperator[]>(`
      SELECT id, public_id, public_name, privacy_mode, log_index FROM operators
      WHERE log_index > @after AND ${TAKES_PART} ORDER BY log_index LIMIT @limit`),
    /** Whether an operator still takes part and has not changed. */
    takesPart: sql.has<(operator: CorpusOperator) => boolean>(`
      SELECT 1 FROM operators WHERE id = @id AND log_index = @log_index AND ${TAKES_PART}`),
    /** Some of an operator's daily counts that count. Their order changes only with the data. */
    buckets: (operator_id: number, { behind, limit }: CorpusPage) =>
      typeof behind === 'number'
        ? first({ operator_id, limit, skipped: behind })
        : further({ operator_id, limit, ...behind, number: dayNumber(behind.day) }),
    /** Operators with public names after a name, by name. */
    operatorsByName: sql.all<(after: string, limit: number) => SharedOperator[]>(`
      SELECT id, public_name, privacy_mode, cohort_id, data_opt_out FROM operators
      WHERE public_name > @after AND log_index > 0 AND ${TAKES_PART}
      ORDER BY public_name LIMIT @limit`),
    /** An operator's daily counts that count, one by one, by day. */
    counts: sql.iterateTuples<(operator_id: number) => IterableIterator<SharedCount>>(`
      SELECT day_number, tool, provider, model, (SELECT trust FROM devices WHERE id = device_id),
        input, output, cache_write, cache_read, log_index
      FROM buckets WHERE operator_id = @operator_id AND counts = 1 ORDER BY ${IN_ORDER}`),
  };
}

/** Each kind: whether it reports cache_write and cache_read. */
const KINDS = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/** The sums of one kind; all null if there are no daily counts of it. */
type KindSums = [
  input: number | null,
  output: number | null,
  cache_write: number | null,
  cache_read: number | null,
];

/** The columns of a statement that groups daily counts: four sums of each kind. */
const KIND_SUMS = KINDS.flatMap(([write, read]) => {
  const isKind = `cache_write IS ${write ? 'NOT ' : ''}NULL AND cache_read IS ${read ? 'NOT ' : ''}NULL`;
  const sumOf = (pillar: keyof Pillars) => `sum(${pillar}) FILTER (WHERE ${isKind})`;
  return [
    sumOf('input'),
    sumOf('output'),
    write ? sumOf('cache_write') : 'NULL',
    read ? sumOf('cache_read') : 'NULL',
  ];
}).join(', ');

/** Converts the columns of a row to the token types of each kind. */
function kindsIn(sums: readonly (number | null)[]): Pillars[] {
  return KINDS.flatMap((_, kind) => {
    const [input, output, cache_write, cache_read] = sums.slice(4 * kind, 4 * kind + 4) as KindSums;
    return input === null || output === null ? [] : [{ input, output, cache_write, cache_read }];
  });
}
