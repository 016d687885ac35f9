import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import {
  type BucketPart,
  type BucketPlace,
  type DaySpan,
  IN_PART,
  endsOf,
  partEndsIn,
} from './bucket-rows.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Operator } from './operators.ts';
import { statementsIn } from './statements.ts';

export type { BucketPart, DaySpan };

/** Where a record stands among its operator's; a submission belongs to one device, so no two share a place. */
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

const COUNTING = `SELECT day, tool, log_index, provider, model, input, output, cache_write, cache_read
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const NEWEST_FIRST = `
  ORDER BY day DESC, tool DESC, log_index DESC, provider DESC, model DESC LIMIT @limit`;

/** The buckets that count, as what is public of them is read. */
export function recordsIn(db: Database) {
  const sql = statementsIn(db);
  const first = sql.all<(of: object) => ShownRecord[]>(`${COUNTING} ${NEWEST_FIRST}`);
  const further = sql.all<(of: object) => ShownRecord[]>(`
    ${COUNTING} AND (day, tool, log_index, provider, model)
      < (@day, @tool, @log_index, @provider, @model) ${NEWEST_FIRST}`);
  const count = sql.value<(of: object) => number>(`
    SELECT count(*) FROM buckets WHERE ${IN_PART} AND counts = 1`);
  const countIn = (of: BucketPart) => count(endsOf(of));
  const perSubmission = sql.tuples<(of: object) => [number, number][]>(`
    SELECT log_index, count(*) FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND log_index BETWEEN @first AND @last
    GROUP BY log_index`);
  // The sums stay within 2^53-1. The sign keeps SQLite from the index by device, which has no counts.
  const usage = sql.tuples<(of: object) => SummedDay[]>(`
    SELECT day, ${KIND_SUMS} FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND (@tool IS NULL OR tool = @tool)
      AND (@trust = 'all' OR +device_id IN
        (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed'))
    GROUP BY day`);
  const signedByTool = sql.tuples<(of: object) => [string, ...SummedDay][]>(`
    SELECT tool, day, ${KIND_SUMS} FROM buckets
    WHERE ${IN_PART} AND counts = 1
      AND +device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
    GROUP BY day, tool`);
  const usageOf = ({ tool, trust, ...of }: BoardSlice & BucketPart) =>
    usage({ tool, trust, ...endsOf(of) }).flatMap(([day, ...sums]): DayPillars[] =>
      kindsIn(sums).map((pillars) => ({ day, ...pillars })),
    );

  return {
    /** An operator's counting buckets, newest day first, from the one after `place` on. */
    page: (operator_id: number, place: RecordPlace | null, limit: number) =>
      place ? further({ operator_id, limit, ...place }) : first({ operator_id, limit }),
    total: (operator_id: number) => countIn({ operator_id, from: '', to: '9999-12-31' }),
    countIn,
    /** How many buckets count of each submission in a stretch of the log, if any, by its place there. */
    perSubmission: ({ first, last, ...of }: BucketPart & { first: number; last: number }) =>
      new Map(perSubmission({ first, last, ...endsOf(of) })),
    /** Where a part of so many buckets ends; null if there are fewer. */
    partEnd: partEndsIn(db),
    /** What counts on the boards of a slice: the sums of each day's buckets that report the same pillars, by day. */
    usage: usageOf,
    /** What counts and devices signed: the sums of each day's and tool's buckets that report the same pillars, by day. */
    signedByTool: (of: BucketPart) =>
      signedByTool(endsOf(of)).flatMap(([tool, day, ...sums]) =>
        kindsIn(sums).map((pillars) => ({ tool, day, ...pillars })),
      ),
    /** Of that what devices signed, of all tools. */
    signedUsage: (of: BucketPart) => usageOf({ ...of, tool: null, trust: 'signed' }),
  };
}

/** An operator whose records anyone with a key may have, as it was last changed by `log_index`. */
export type CorpusOperator = Pick<
  Operator,
  'id' | 'log_index' | 'privacy_mode' | 'public_id' | 'public_name'
>;

export type CorpusBucket = Bucket & BucketPlace & { trust: Trust };

/** Some of an operator's buckets: those behind a place, or behind so many. */
interface CorpusPage {
  behind: BucketPlace | number;
  limit: number;
}

/** Operators that are shown openly and have not opted out. */
const TAKES_PART = 'is_open = 1 AND public_name IS NOT NULL AND data_opt_out = 0';

const BUCKETS = `SELECT day, tool, device_id, provider, model, input, output, cache_write, cache_read,
    (SELECT trust FROM devices WHERE id = device_id) AS trust
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const IN_ORDER = 'ORDER BY day, tool, device_id, provider, model LIMIT @limit';

/** The records that are handed out for research and reuse. */
export function corpusIn(db: Database) {
  const sql = statementsIn(db);
  const first = sql.all<(of: object) => CorpusBucket[]>(`${BUCKETS} ${IN_ORDER} OFFSET @skipped`);
  const further = sql.all<(of: object) => CorpusBucket[]>(`
    ${BUCKETS} AND (day, tool, device_id, provider, model)
      > (@day, @tool, @device_id, @provider, @model) ${IN_ORDER}`);

  return {
    /** Those whose last change stands behind a place in the log, in its order. */
    operators: sql.all<(after: number, limit: number) => CorpusOperator[]>(`
      SELECT id, public_id, public_name, privacy_mode, log_index FROM operators
      WHERE log_index > @after AND ${TAKES_PART} ORDER BY log_index LIMIT @limit`),
    /** Whether an operator still takes part and nothing of it has changed. */
    takesPart: sql.has<(operator: CorpusOperator) => boolean>(`
      SELECT 1 FROM operators WHERE id = @id AND log_index = @log_index AND ${TAKES_PART}`),
    /** Some of an operator's buckets that count, in an order that only a change of them changes. */
    buckets: (operator_id: number, { behind, limit }: CorpusPage) =>
      typeof behind === 'number'
        ? first({ operator_id, limit, skipped: behind })
        : further({ operator_id, limit, ...behind }),
  };
}

/** Each kind: whether it reports cache_write and cache_read. */
const KINDS = [
  [true, true],
  [true, false],
  [false, true],
  [false, false],
] as const;

/** The sums of one kind; all null where there is no such bucket. */
type KindSums = [
  input: number | null,
  output: number | null,
  cache_write: number | null,
  cache_read: number | null,
];

/** The columns of a statement that groups buckets: four sums of each kind. */
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

/** What the columns of a row hold: the pillars of each kind that there is. */
function kindsIn(sums: readonly (number | null)[]): Pillars[] {
  return KINDS.flatMap((_, kind) => {
    const [input, output, cache_write, cache_read] = sums.slice(4 * kind, 4 * kind + 4) as KindSums;
    return input === null || output === null ? [] : [{ input, output, cache_write, cache_read }];
  });
}
