/** Parts of an account's buckets, in the order in which they are stored, so that a large account is read bit by bit. */
import type { Database } from 'better-sqlite3';

/** One operator's days, from `from` to `to`, both ends included. */
export interface DaySpan {
  operator_id: number;
  from: string;
  to: string;
}

/** Where a bucket is stored among its operator's. */
export interface BucketPlace {
  day: string;
  tool: string;
  device_id: number;
  provider: string;
  model: string;
}

/** The buckets of some days that are stored after one place and up to another. Null: from the first, or to the last. */
export interface BucketPart extends DaySpan {
  after?: BucketPlace | null;
  until?: BucketPlace | null;
}

const PLACE = ['day', 'tool', 'device_id', 'provider', 'model'] as const;
const placeNamed = (prefix: string) => PLACE.map((name) => `@${prefix}_${name}`).join(', ');

/** The condition of a statement that reads a part; {@linkcode endsOf} gives its parameters. */
export const IN_PART = `operator_id = @operator_id
  AND (${PLACE.join(', ')}) > (${placeNamed('after')})
  AND (${PLACE.join(', ')}) <= (${placeNamed('until')})`;

/** The parameters of {@linkcode IN_PART}. */
export function endsOf({ operator_id, from, to, after, until }: BucketPart) {
  const edge = { tool: '', device_id: 0, provider: '', model: '' };
  return {
    operator_id,
    ...named('after', after ?? { ...edge, day: from }),
    // Sorts after every bucket of the last day.
    ...named('until', until ?? { ...edge, day: `${to}~` }),
  };
}

function named(prefix: string, place: BucketPlace) {
  return Object.fromEntries(PLACE.map((name) => [`${prefix}_${name}`, place[name]]));
}

/** Finds where a part of so many buckets ends. */
export function partEndsIn(db: Database) {
  const nth = db.prepare(
    `SELECT ${PLACE.join(', ')} FROM buckets WHERE ${IN_PART}
     ORDER BY ${PLACE.join(', ')} LIMIT 1 OFFSET @rows - 1`,
  );
  /** The last place of the first so many buckets of a part; null if it holds fewer. */
  return (of: BucketPart, rows: number): BucketPlace | null =>
    (nth.get({ ...endsOf(of), rows }) as BucketPlace | undefined) ?? null;
}
