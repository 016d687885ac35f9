/** Finds counts that end in zeros more often than counts of real work do. */
import { totalOf } from '../counting/bucket.ts';
import {
  type CheckFinding,
  type Suspect,
  type ToolDay,
  findingAbout,
  yieldCounts,
} from './finding.ts';
import type { Pillars } from '#core/schema/usage.ts';

/**
 * The token types of a tool's day that are multiples of 100, although most days with the tool are not. Somebody who
 * multiplies a day by 100 leaves that on all types. Of real counts, one in 100 is a multiple of 100, or one in 25 of
 * cache reads in blocks of 128 tokens.
 */
export const ROUND_COUNTS = { hold: 3, multiple: 100 } as const;

/**
 * The power of ten that divides a token type on each of several days in a row, although other types end in any digit.
 * That remains after multiplying only the cache reads. The zeros must add up to `zeros`: eight multiples of 10, four
 * of 100, or three of 1,000 or more. Equal counts add up once, because a program with a fixed prompt can read the
 * same amount every day. One fixed prompt in ten is a multiple of 10, so that is only a note.
 */
export const ROUND_SERIES = { note: 10, hold: 100, zeros: 8, most: 3 } as const;

/** Both checks leave out days with fewer output tokens, because programs with a fixed short answer have round ones. */
export const ROUND_OUTPUT = 20_000;

const TYPES = ['input', 'output', 'cache_write', 'cache_read'] as const;
type TokenType = (typeof TYPES)[number];

/** A day with the counts that are examined. */
interface ExaminedDay extends Pick<ToolDay, 'day' | 'isNew'>, Pillars {
  total: number;
}

/** The findings about one tool's days. */
export function roundFindings(tool: string, days: readonly ToolDay[]): (CheckFinding | null)[] {
  const large = days.filter(({ output }) => output >= ROUND_OUTPUT);
  // Most new days cannot be part of either, so that nothing else is examined.
  if (!large.some((day) => day.isNew && isAnyRound(day))) return [];
  const examined = large.map(examinedDay).sort((a, b) => (a.day < b.day ? -1 : 1));
  return [roundCounts(tool, examined), roundSeries(tool, examined)];
}

/** Three round types include at least one of these. */
function isAnyRound({ output, silent, cache_read }: ToolDay): boolean {
  const counted = cache_read === null ? output : output - silent.output;
  return counted % ROUND_SERIES.note === 0 || (cache_read ?? 1) % ROUND_SERIES.note === 0;
}

function examinedDay(toolDay: ToolDay): ExaminedDay {
  const { day, isNew, cache_write } = toolDay;
  return { day, isNew, cache_write, ...yieldCounts(toolDay), total: totalOf(toolDay) };
}

function roundCounts(tool: string, days: readonly ExaminedDay[]): CheckFinding | null {
  const suspects = days.flatMap((day): Suspect[] => {
    if (!day.isNew || roundTypes(day).length < ROUND_COUNTS.hold) return [];
    const unusual = roundTypes(day).filter((type) => {
      return 2 * days.filter((other) => isRound(other[type])).length < days.length;
    });
    if (unusual.length < ROUND_COUNTS.hold) return [];
    const [statistic, threshold] = [unusual.length, ROUND_COUNTS.hold];
    return [{ day: day.day, verdict: 'hold', statistic, threshold, amount: day.total }];
  });
  return findingAbout({ check: 'round_counts', tool, n: days.length }, suspects);
}

function roundTypes(day: ExaminedDay): TokenType[] {
  return TYPES.filter((type) => isRound(day[type]));
}

function isRound(count: number | null): boolean {
  return count !== null && count > 0 && count % ROUND_COUNTS.multiple === 0;
}

/** Looks at the types that raise a metric. */
function roundSeries(tool: string, days: readonly ExaminedDay[]): CheckFinding | null {
  const suspects = (['output', 'cache_read'] as const).flatMap((type) => {
    const known = days.filter((day) => (day[type] ?? 0) > 0);
    return known.flatMap(({ isNew }, end) => (isNew ? seriesUntil(known, end, type) : []));
  });
  return findingAbout({ check: 'round_series', tool, n: days.length }, suspects);
}

/** The days of the shortest series that ends on a day, from its first. */
function seriesUntil(days: readonly ExaminedDay[], end: number, type: TokenType): Suspect[] {
  const values = new Set<number>();
  let shared: number = ROUND_SERIES.most;
  for (let at = end; at >= 0; at -= 1) {
    const count = days[at]?.[type] ?? 0;
    while (shared > 0 && count % 10 ** shared !== 0) shared -= 1;
    if (shared === 0) return [];
    values.add(count);
    if (shared * values.size >= ROUND_SERIES.zeros) {
      return seriesOf(days.slice(at, end + 1), type, 10 ** shared);
    }
  }
  return [];
}

function seriesOf(days: readonly ExaminedDay[], type: TokenType, power: number): Suspect[] {
  const uneven = days.filter((day) => {
    return TYPES.some((other) => other !== type && (day[other] ?? 0) % ROUND_SERIES.note !== 0);
  });
  // Where all types are round, the tool or the person rounds.
  const isOnly = 2 * uneven.length > days.length;
  const verdict = isOnly && power >= ROUND_SERIES.hold ? 'hold' : 'note';
  const threshold = ROUND_SERIES[verdict];
  return days.map(({ day }) => ({ day, verdict, statistic: power, threshold, amount: power }));
}
