/**
 * Daily counts as their table stores them. The token columns contain what counts. If the stated counts are larger,
 * they are stored as well.
 */
import { fromBase64Url, toBase64Url } from '#core/domain/text/base64.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { partOf } from '#core/domain/counting/overlap.ts';
import type { Pillars } from '#core/schema/usage.ts';
import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

/** A row's counts. Databases of earlier versions have neither stated counts nor fingerprints. */
export interface CountsRow extends Pillars {
  counts: 0 | 1;
  stated_input?: number | null;
  stated_output?: number | null;
  stated_cache_write?: number | null;
  stated_cache_read?: number | null;
  fingerprint?: Uint8Array | null;
}

export const COUNTS = `input, output, cache_write, cache_read, counts,
  stated_input, stated_output, stated_cache_write, stated_cache_read, fingerprint`;

/** A row with the stated counts in place of those that count, which become a separate member. */
type StatedRow<Row extends CountsRow> = Omit<Row, keyof CountsRow> &
  Pick<CountedBucket, 'counted' | 'counts' | 'fingerprint' | keyof Pillars>;

export function statedOf<Row extends CountsRow>(row: Row): StatedRow<Row> {
  const { input, output, cache_write, cache_read, fingerprint, ...rest } = row;
  const { stated_input, stated_output, stated_cache_write, stated_cache_read, ...others } = rest;
  const stored = { input, output, cache_write, cache_read };
  const stated = {
    input: stated_input ?? input,
    output: stated_output ?? output,
    cache_write: stated_cache_write ?? cache_write,
    cache_read: stated_cache_read ?? cache_read,
  };
  const all = {
    ...others,
    ...stated,
    counted: row.counts === 1 ? stored : partOf(stored, 0, 1),
    ...(fingerprint && { fingerprint: toBase64Url(fingerprint) }),
  };
  return all as typeof all & StatedRow<Row>;
}

/** A whole daily count, as the table stores it. */
export type BucketRow = CountsRow & Omit<CountedBucket, keyof CountsRow | 'counted'>;

export function countsRowOf(bucket: CountedBucket): Required<CountsRow> {
  const { counts, counted, fingerprint } = bucket;
  const isPart = counts === 1 && totalOf(counted) < totalOf(bucket);
  const { input, output, cache_write, cache_read } = isPart ? counted : bucket;
  return {
    counts,
    input,
    output,
    cache_write,
    cache_read,
    stated_input: isPart ? bucket.input : null,
    stated_output: isPart ? bucket.output : null,
    stated_cache_write: isPart ? bucket.cache_write : null,
    stated_cache_read: isPart ? bucket.cache_read : null,
    fingerprint: fingerprint === undefined ? null : fromBase64Url(fingerprint),
  };
}

/** One operator's days, from `from` to `to`, both included. */
export interface DaySpan {
  operator_id: number;
  from: string;
  to: string;
}

/** All days. */
export const EVER = { from: '', to: '9999-12-31' };

export interface BucketPlace {
  day: string;
  tool: string;
  device_id: number;
  provider: string;
  model: string;
}

/**
 * The stored daily counts of some days, after one place and up to another. Null means from the first, or to the last.
 */
export interface BucketPart extends DaySpan {
  after?: PartPlace | null;
  until?: PartPlace | null;
}

/** The place of a daily count in the order of the table's key, which needs no names if the row was moved. */
export interface PartPlace {
  day: string;
  source: number;
  device_id: number;
  names: string;
}

const PLACE = ['day_number', 'tool', 'device_id', 'provider', 'model'] as const;
/**
 * The order of places. By day, it is the order of the table's key. SQLite reads no further than a page if the statement
 * also returns `day_number`.
 */
export const IN_ORDER = PLACE.join(', ');

const PART_PLACE = ['day_number', 'source', 'device_id', 'names'] as const;
export const BY_KEY = PART_PLACE.join(', ');
const placeNamed = (prefix: string) => PART_PLACE.map((name) => `@${prefix}_${name}`).join(', ');

/**
 * The condition of a statement that reads some days. {@linkcode daysOf} returns its parameters. The days are bound both
 * as numbers and as text, so that the statement uses the keys of both tables.
 */
export const ON_DAYS = `operator_id = @operator_id
  AND day_number BETWEEN @first_day AND @last_day AND day BETWEEN @from AND @to`;

export function daysOf({ operator_id, from, to }: DaySpan) {
  const first_day = numberOf(from, Number.NEGATIVE_INFINITY);
  return { operator_id, from, to, first_day, last_day: numberOf(to, Number.POSITIVE_INFINITY) };
}

/** The number of a day, or another one if the text is not a day but only sorts before or after all days. */
function numberOf(day: string, otherwise: number): number {
  const number = dayNumber(day);
  return Number.isNaN(number) ? otherwise : number;
}

/** The condition of a statement that reads a part. {@linkcode endsOf} returns its parameters. */
export const IN_PART = `${ON_DAYS}
  AND (${BY_KEY}) > (${placeNamed('after')}) AND (${BY_KEY}) <= (${placeNamed('until')})`;

export function endsOf({ operator_id, from, to, after, until }: BucketPart) {
  const days = daysOf({ operator_id, from: after?.day ?? from, to: until?.day ?? to });
  return {
    ...days,
    ...named('after', after ?? EDGE, days.first_day),
    // Sorts after every daily count of the last day.
    ...named('until', until ?? EDGE, until ? days.last_day : days.last_day + 1),
  };
}

/** Sorts before every daily count of a day. */
const EDGE = { source: -2, device_id: 0, names: '' };

function named(prefix: string, place: Omit<PartPlace, 'day'>, day_number: number) {
  const numbered = { ...place, day_number };
  return Object.fromEntries(PART_PLACE.map((name) => [`${prefix}_${name}`, numbered[name]]));
}

export function partEndsIn(db: Database) {
  const sql = statementsIn(db);
  const nth = sql.get<(of: object) => PartPlace | undefined>(`
    SELECT day, ${BY_KEY} FROM buckets WHERE ${IN_PART}
    ORDER BY ${BY_KEY} LIMIT 1 OFFSET @rows - 1`);
  /** The place of the last of the first `rows` daily counts in a part; null if the part has fewer. */
  return (of: BucketPart, rows: number): PartPlace | null => nth({ ...endsOf(of), rows }) ?? null;
}
