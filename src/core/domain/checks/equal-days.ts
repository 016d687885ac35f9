/** Finds days on which two accounts submitted the same numbers. */
import { dayAndTool } from '../counting/counting.ts';
import { groupBy } from '../text/group.ts';
import { significant } from '../metrics/metrics.ts';
import type { CheckFinding, YieldCounts } from './finding.ts';

/**
 * `tolerance`: how much the counts behind yield may differ. `days` and `share`: on how many days, and on which
 * share of the days that both accounts have, they must be equal. `day_tokens`: the fewest tokens of a compared day.
 * The tool does not matter, because a name is easily changed. Honest accounts agree on three days by chance less
 * often than once in millions of pairs. Copies with larger changes or shifted days are not found.
 */
export const EQUAL_VECTORS = { tolerance: 0.01, days: 3, share: 0.5, day_tokens: 10_000 } as const;

/** The width of a cell on a logarithmic scale, wide enough that a number is rarely near two edges. */
const CELL = 0.05;
/** How far apart two numbers within the tolerance can be on that scale. */
const REACH = -Math.log(1 - EQUAL_VECTORS.tolerance) + 1e-9;

const NAMES = ['input', 'output', 'cache_read'] as const;

/** Numbers, and the log entry that contains them. */
export interface StatedNumbers extends YieldCounts {
  since: number;
}

/** A day of an account with one tool. */
export interface KnownDay extends StatedNumbers {
  day: string;
  tool: string;
  /** Earlier numbers of the account for this day, oldest first. */
  earlier: readonly StatedNumbers[];
}

type ComparedDay = Pick<KnownDay, 'day' | 'tool'> & YieldCounts;

/** Hashes for finding a day's numbers. Equal `place`: the same day and tool. Equal `vector`: similar numbers on the same day. */
export interface DayVector {
  place: number;
  vector: number;
}

/** The hashes of a day's numbers; null for a day that is too small to compare. */
export function dayVector(day: ComparedDay): DayVector | null {
  if (!isCompared(day)) return null;
  const cells = NAMES.map((pillar) => Math.floor(placeOnScale(day[pillar])));
  return { place: hash53(dayAndTool(day)), vector: hash53(`${day.day}\n${cells.join(' ')}`) };
}

/** All vectors that days with numbers within the tolerance can have. */
export function nearVectors(day: ComparedDay): number[] {
  let rows: number[][] = [[]];
  for (const pillar of NAMES) {
    const at = placeOnScale(day[pillar]);
    const reach = day[pillar] === null ? 0 : REACH / CELL;
    const cells = new Set([Math.floor(at - reach), Math.floor(at + reach)]);
    rows = rows.flatMap((row) => [...cells].map((cell) => [...row, cell]));
  }
  return rows.map((cells) => hash53(`${day.day}\n${cells.join(' ')}`));
}

function placeOnScale(count: number | null): number {
  return count === null ? -1 : Math.log(1 + count) / CELL;
}

/** Two accounts with the same numbers. */
export interface EqualDays {
  /** About the account that submitted the numbers later. */
  finding: CheckFinding;
  /** The days, with their tools, that it submitted later. */
  copies: readonly Pick<KnownDay, 'day' | 'tool'>[];
  isFirstLater: boolean;
}

/**
 * The equal days of two accounts; null if there are too few.
 *
 * @param least The fewest equal days. Lower if an account was put on hold for this before.
 */
export function equalDays(
  first: readonly KnownDay[],
  second: readonly KnownDay[],
  least: number = EQUAL_VECTORS.days,
): EqualDays | null {
  const [mine, theirs] = [comparedWith(first, second), comparedWith(second, first)];
  const byDay = groupBy(theirs, ({ day }) => day);
  const equal = mine.flatMap((day) => {
    const other = byDay.get(day.day)?.find((near) => isNear(day, near));
    return other ? [{ day, other }] : [];
  });
  // Adding days with further tools must not hide a copy.
  const compared = Math.min(mine.length, theirs.length);
  const share = Math.min(1, equal.length / compared);
  const days = new Set(equal.map(({ day }) => day.day));
  if (days.size < least || share < EQUAL_VECTORS.share) return null;
  const isLater = ({ day, other }: Pair) => nearSince(day, other) > nearSince(other, day);
  const isFirstLater = 2 * equal.filter(isLater).length >= equal.length;
  const copies = equal.filter((pair) => isLater(pair) === isFirstLater);
  const finding: CheckFinding = {
    check: 'equal_vectors',
    verdict: 'hold',
    statistic: significant(share),
    threshold: EQUAL_VECTORS.share,
    n: compared,
    tool: '',
    days: Object.fromEntries(copies.map(({ day }) => [day.day, sumOf(day)])),
  };
  return { finding, copies: copies.map(({ day }) => day), isFirstLater };
}

interface Pair {
  day: KnownDay;
  other: KnownDay;
}

/** The comparable days on which the other account has comparable days too. */
function comparedWith(days: readonly KnownDay[], others: readonly KnownDay[]): KnownDay[] {
  const known = new Set(others.filter(isCompared).map(({ day }) => day));
  return days.filter((day) => isCompared(day) && known.has(day.day));
}

function isCompared(day: YieldCounts): boolean {
  return sumOf(day) >= EQUAL_VECTORS.day_tokens;
}

function sumOf({ input, output, cache_read }: YieldCounts): number {
  return input + output + (cache_read ?? 0);
}

/**
 * The log entry since which an account's numbers have been similar to the other's, without a break. An account
 * whose own day grows slightly does not become the later one.
 */
function nearSince({ since, earlier }: KnownDay, other: KnownDay): number {
  const lastFar = earlier.findLastIndex((statement) => !isNear(statement, other));
  return Math.min(since, earlier[lastFar + 1]?.since ?? since);
}

function isNear(a: YieldCounts, b: YieldCounts): boolean {
  return NAMES.every((pillar) => {
    const [of, beside] = [a[pillar], b[pillar]];
    if (of === null || beside === null) return of === beside;
    return Math.abs(of - beside) <= EQUAL_VECTORS.tolerance * Math.max(of, beside);
  });
}

/** A 53-bit integer hash. Days with equal hashes are compared in full, so collisions do no harm. */
function hash53(text: string): number {
  let [high, low] = [2_166_136_261, 0x5bd1e995];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 16_777_619);
    low = Math.imul(low + unit, 0x85ebca6b) ^ (low >>> 13);
  }
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
