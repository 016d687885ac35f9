/** Finds days that are far outside the usual range of the account and of all accounts. */
import { totalOf } from '../counting/bucket.ts';
import {
  type CheckFinding,
  type Suspect,
  type ToolDay,
  findingAbout,
  verdictAbove,
  yieldCounts,
} from './finding.ts';
import { groupBy } from '../text/group.ts';

/**
 * Thresholds in robust standard deviations above both medians, on a logarithmic scale. A day is an outlier only if
 * it is far outside both the account's own range and that of all operators. A first busy week is not an outlier,
 * nor is a heavy account among light ones. Ranges need at least `days` days or `operators` operators. The own range
 * is that of all days or of the `recent` ones, whichever is more lenient, so a lasting change of habit is accepted
 * after half of those.
 */
export const DAY_OUTLIER = { note: 3, hold: 4, days: 14, operators: 20, recent: 28 } as const;

/** The standard deviation of a normal distribution, in median absolute deviations. */
const DEVIATIONS = 1.4826;

/** The smallest scale, a factor of 1.6. Real days never differ by less. */
const LEAST_SCALE = 0.5;

/** The median and the spread of a set of numbers. */
export interface Range {
  median: number;
  scale: number;
  n: number;
}

/** The usual days of all operators. A range is null if there are too few. */
export interface Field {
  /** All tokens of a day. */
  total: Range | null;
  /** The yield of a day with a tool, or of all days if too few operators have the tool. */
  yieldWith: (tool: string) => Range | null;
}

/** An operator's usual day, with one tool or, under the empty name, with all. Medians of natural logarithms. */
export interface UsualDay {
  tool: string;
  ln_total: number;
  /** Null if no day has a yield. */
  ln_yield: number | null;
}

/** The robust range of numbers; null if there are fewer than `least`. */
export function rangeOf(numbers: readonly number[], least: number): Range | null {
  if (numbers.length < least) return null;
  const median = middleOf(numbers);
  const deviation = middleOf(numbers.map((number) => Math.abs(number - median)));
  return { median, scale: Math.max(LEAST_SCALE, DEVIATIONS * deviation), n: numbers.length };
}

function middleOf(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort();
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] as number) + upper) / 2;
}

/** An operator's usual days; empty without days. */
export function usualDays(days: readonly ToolDay[]): UsualDay[] {
  const ofTools = [...groupBy(days, ({ tool }) => tool)].map(([tool, ofTool]) => ({
    tool,
    ln_total: middleOf(ofTool.map(lnTotal)),
    ln_yield: usualYield(ofTool),
  }));
  const totals = [...totalsByDay(days).values()].map(({ total }) => Math.log(total));
  if (totals.length === 0) return [];
  return [{ tool: '', ln_total: middleOf(totals), ln_yield: usualYield(days) }, ...ofTools];
}

function usualYield(days: readonly ToolDay[]): number | null {
  const yields = days.flatMap((day) => lnYield(day) ?? []);
  return yields.length > 0 ? middleOf(yields) : null;
}

/** The field formed by the operators' usual days. */
export function fieldOf(usual: Iterable<UsualDay>): Field {
  const byTool = groupBy(usual, ({ tool }) => tool);
  const ranges = new Map<string, Range | null>();
  const all = byTool.get('') ?? [];
  const yieldsOf = (rows: readonly UsualDay[]) => {
    const yields = rows.flatMap(({ ln_yield }) => ln_yield ?? []);
    return rangeOf(yields, DAY_OUTLIER.operators);
  };
  const ofAll = yieldsOf(all);
  return {
    total: rangeOf(
      all.map(({ ln_total }) => ln_total),
      DAY_OUTLIER.operators,
    ),
    yieldWith(tool) {
      let range = ranges.get(tool);
      if (range === undefined) {
        ranges.set(tool, (range = yieldsOf(byTool.get(tool) ?? []) ?? ofAll));
      }
      return range;
    },
  };
}

/** The amounts of an account's held days, by day, with a tool or, under the empty name, with all. */
export type HeldLevels = (tool: string) => Readonly<Record<string, number>>;

/**
 * Findings about days whose total, or whose yield with a tool, is far outside both ranges.
 *
 * @param held Days that only this check holds. They are part of the account's own range.
 */
export function outlierFindings(
  days: readonly ToolDay[],
  field: Field,
  held: HeldLevels,
): (CheckFinding | null)[] {
  const totals = [...totalsByDay(days)].map(([day, { total, isNew }]) => ({
    day,
    isNew,
    ln: Math.log(total),
    amount: total,
  }));
  const ofTools = [...groupBy(days, ({ tool }) => tool)].map(([tool, ofTool]) => {
    const yields = ofTool.flatMap((day): Measured[] => {
      const ln = lnYield(day);
      return ln === null ? [] : [{ day: day.day, isNew: day.isNew, ln, amount: Math.exp(ln) }];
    });
    return farOutside(yields, field.yieldWith(tool), { tool, held: held(tool) });
  });
  return [farOutside(totals, field.total, { tool: '', held: held('') }), ...ofTools];
}

/** One number of a day. */
interface Measured {
  day: string;
  isNew: boolean;
  ln: number;
  amount: number;
}

interface Stated {
  tool: string;
  /** The amounts of held days. */
  held: Readonly<Record<string, number>>;
}

function farOutside(
  days: readonly Measured[],
  others: Range | null,
  { tool, held }: Stated,
): CheckFinding | null {
  if (!others || !days.some(({ isNew }) => isNew)) return null;
  const levels = levelsOf(days, held);
  const own = rangeOf([...levels.values()], DAY_OUTLIER.days);
  if (!own) return null;
  // Days from before there was a range are judged once there is one.
  const isFirst = days.filter(({ isNew }) => !isNew).length < DAY_OUTLIER.days;
  const suspects = days.flatMap(({ day, isNew, ln, amount }): Suspect[] => {
    if (!isNew && !isFirst) return [];
    const rough = Math.min(deviationsAbove(own, ln), deviationsAbove(others, ln));
    if (!verdictAbove(rough, DAY_OUTLIER)) return [];
    const statistic = Math.min(rough, deviationsAbove(recentRange(levels, day), ln));
    const verdict = verdictAbove(statistic, DAY_OUTLIER);
    return verdict ? [{ day, verdict, statistic, threshold: DAY_OUTLIER[verdict], amount }] : [];
  });
  return findingAbout({ check: 'day_outlier', tool, n: own.n }, suspects);
}

/** The account's amounts by day, in order. For a held day, the larger of both amounts. */
function levelsOf(days: readonly Measured[], held: Stated['held']): Map<string, number> {
  const levels = new Map(days.map(({ day, ln }) => [day, ln]));
  for (const [day, amount] of Object.entries(held)) {
    levels.set(day, Math.max(Math.log(amount), levels.get(day) ?? -Infinity));
  }
  return new Map([...levels].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The range of the recent days up to `until`; null if they are too few. */
function recentRange(levels: ReadonlyMap<string, number>, until: string): Range | null {
  const before = [...levels].filter(([day]) => day <= until).slice(-DAY_OUTLIER.recent);
  return rangeOf(
    before.map(([, ln]) => ln),
    DAY_OUTLIER.days,
  );
}

/** How far a value is above a range, in deviations; infinite without a range. */
function deviationsAbove(range: Range | null, value: number): number {
  return range ? (value - range.median) / range.scale : Infinity;
}

function totalsByDay(days: readonly ToolDay[]): Map<string, { total: number; isNew: boolean }> {
  const totals = new Map<string, { total: number; isNew: boolean }>();
  for (const day of days) {
    if (totalOf(day) === 0) continue;
    const sum = totals.get(day.day) ?? { total: 0, isNew: false };
    const isNew = sum.isNew || day.isNew;
    totals.set(day.day, { total: sum.total + totalOf(day), isNew });
  }
  return totals;
}

function lnTotal(day: ToolDay): number {
  return Math.log(Math.max(1, totalOf(day)));
}

/** The logarithm of a day's yield. Null if one of the three pillars is missing or zero. */
export function lnYield(day: Omit<ToolDay, 'day' | 'isNew' | 'tool'>): number | null {
  const { input, output, cache_read } = yieldCounts(day);
  if (!cache_read || input === 0 || output === 0) return null;
  return Math.log(cache_read) + Math.log(output) - 2 * Math.log(input);
}
