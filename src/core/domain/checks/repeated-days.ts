/** Finds days of an account that repeat each other, at the same or at another size. */
import { dayName, dayNumber } from '../counting/day.ts';
import { groupBy } from '../text/group.ts';
import { significant } from '../metrics/metrics.ts';
import type { Verdict } from '#core/schema/moderation.ts';
import { type CheckFinding, type ToolDay, type YieldCounts, yieldCounts } from './finding.ts';

/**
 * Two days repeat each other if the input, output and cache reads of one are the same multiple of those of the
 * other, up to one token each. That remains after a day was split, copied, spread or averaged.
 *
 * `days` and `share`: how many days must repeat others, and with which share of the tokens of all days that are at
 * most `near` days away. `output`: the output tokens that compared days exceed. Models hardly ever write the same
 * number of tokens twice, but small automated jobs do by chance, or because the answer is always the same and short.
 * A tolerance of 0.1% would also find copies with some noise, and hold thirty times as many honest accounts.
 */
export const REPEATED_DAYS = {
  share: 0.5,
  days: 3,
  near: 90,
  output: { note: 1_000, hold: 20_000 },
} as const;

/** By how much the output's share of the tokens of two such days can differ: one token in 1,000, three in the sum. */
const RATIO_REACH = 1.005;

interface ComparedDay extends YieldCounts {
  day: string;
  isNew: boolean;
  tokens: number;
  /** The output's share of the tokens. */
  ratio: number;
}

/** The finding about days that repeat each other, whatever their tools; null if too few do. */
export function repeatedDays(days: readonly ToolDay[]): CheckFinding | null {
  const compared = withinReach(days).map(comparedDay);
  const noted = repeatedAbove(compared, 'note');
  return noted && (repeatedAbove(compared, 'hold') ?? noted);
}

/** The days that can matter to the new ones: those nearby, and what these may repeat. */
function withinReach(days: readonly ToolDay[]): readonly ToolDay[] {
  const fresh = days.filter(({ isNew }) => isNew).map(({ day }) => day);
  const [first] = fresh.sort();
  const last = fresh.at(-1);
  if (first === undefined || last === undefined) return [];
  const from = dayName(dayNumber(first) - 2 * REPEATED_DAYS.near);
  const until = dayName(dayNumber(last) + 2 * REPEATED_DAYS.near);
  return days.filter(({ day }) => day >= from && day <= until);
}

function comparedDay(toolDay: ToolDay): ComparedDay {
  const { day, isNew } = toolDay;
  const { input, output, cache_read } = yieldCounts(toolDay);
  const tokens = input + output + (cache_read ?? 0);
  return { day, isNew, input, output, cache_read, tokens, ratio: output / tokens };
}

function repeatedAbove(days: readonly ComparedDay[], verdict: Verdict): CheckFinding | null {
  const repeated = repeatedAmong(
    days.filter(({ output }) => output > REPEATED_DAYS.output[verdict]),
  );
  const suspects = repeated.flatMap((day) => {
    const share = day.isNew ? shareAround(day, repeated, days) : null;
    return share === null ? [] : [{ day, share }];
  });
  if (suspects.length === 0) return null;
  const listed = repeated.filter((other) => suspects.some(({ day }) => isNear(day, other)));
  const byDay = groupBy(listed, ({ day }) => day);
  return {
    check: 'repeated_days',
    verdict,
    statistic: significant(Math.max(...suspects.map(({ share }) => share))),
    threshold: REPEATED_DAYS.share,
    n: days.length,
    tool: '',
    days: Object.fromEntries([...byDay].map(([day, parts]) => [day, tokensOf(parts)])),
  };
}

/** The days that repeat any other. Only those with a similar ratio are compared. */
function repeatedAmong(days: readonly ComparedDay[]): ComparedDay[] {
  const sorted = days.toSorted((a, b) => a.ratio - b.ratio);
  const repeated = new Set<ComparedDay>();
  sorted.forEach((day, at) => {
    for (let next = at + 1; next < sorted.length; next += 1) {
      const other = sorted[next] as ComparedDay;
      if (other.ratio > RATIO_REACH * day.ratio) break;
      if (repeated.has(day) && repeated.has(other)) continue;
      if (repeats(day, other)) repeated.add(day).add(other);
    }
  });
  return [...repeated];
}

/** The repeated days' share of the tokens around a day; null if it is too small, or of too few days. */
function shareAround(
  day: ComparedDay,
  repeated: readonly ComparedDay[],
  days: readonly ComparedDay[],
): number | null {
  const around = repeated.filter((other) => isNear(day, other));
  if (new Set(around.map((other) => other.day)).size < REPEATED_DAYS.days) return null;
  const share = tokensOf(around) / tokensOf(days.filter((other) => isNear(day, other)));
  return share >= REPEATED_DAYS.share ? share : null;
}

function isNear(a: ComparedDay, b: ComparedDay): boolean {
  return Math.abs(dayNumber(a.day) - dayNumber(b.day)) <= REPEATED_DAYS.near;
}

function tokensOf(days: readonly ComparedDay[]): number {
  return days.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Whether some factor turns the counts of the larger day into those of the smaller, up to one token each. */
function repeats(a: ComparedDay, b: ComparedDay): boolean {
  if ((a.cache_read === null) !== (b.cache_read === null)) return false;
  const [small, large] = a.tokens <= b.tokens ? [a, b] : [b, a];
  const [read, largeRead] = [small.cache_read ?? 0, large.cache_read ?? 0];
  const least = Math.max(
    (small.input - 1) / large.input,
    (small.output - 1) / large.output,
    (read - 1) / largeRead,
  );
  const most = Math.min(
    (small.input + 1) / large.input,
    (small.output + 1) / large.output,
    (read + 1) / largeRead,
  );
  return least <= most && a.day !== b.day && isNear(a, b);
}
