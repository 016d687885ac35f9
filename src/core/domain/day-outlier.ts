/** Days that are far outside what the account does and what all accounts do. */
import { totalOf } from './bucket.ts';
import { type Finding, type Suspect, type ToolDay, findingAbout, verdictAbove } from './finding.ts';
import { groupBy } from './group.ts';

/**
 * How many robust standard deviations above both medians a day is, on a logarithmic scale. A day is far outside
 * only if it is so for its own account and beside the usual days of all others: a first busy week is not,
 * nor is a heavy account among light ones. Fewer days or operators tell no range.
 */
export const DAY_OUTLIER = { note: 3, hold: 4, days: 14, operators: 20 } as const;

/** The standard deviation of a normal distribution in median absolute deviations. */
const DEVIATIONS = 1.4826;

/** Nobody works alike enough for days to differ by less: a factor of 1.6. */
const LEAST_SCALE = 0.5;

/** Where the middle of some numbers is, and how far they spread. */
export interface Range {
  median: number;
  scale: number;
  n: number;
}

/** The usual days of all operators; null where they are too few. */
export interface Field {
  /** All tokens of a day. */
  total: Range | null;
  /** The yield of a day with a tool. */
  yieldWith: (tool: string) => Range | null;
}

/** An operator's usual day, with one tool or, under the empty name, all. Medians of natural logarithms. */
export interface UsualDay {
  tool: string;
  ln_total: number;
  /** Null where no day has a yield, and for all tools together, which cannot be compared by it. */
  ln_yield: number | null;
}

/** The robust range of numbers; null below `least` of them. */
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

/** What an operator's usual days are; nothing without days. */
export function usualDays(days: readonly ToolDay[]): UsualDay[] {
  const ofTools = [...groupBy(days, ({ tool }) => tool)].map(([tool, ofTool]) => {
    const yields = ofTool.flatMap((day) => lnYield(day) ?? []);
    const ln_yield = yields.length > 0 ? middleOf(yields) : null;
    return { tool, ln_total: middleOf(ofTool.map(lnTotal)), ln_yield };
  });
  const totals = [...totalsByDay(days).values()].map(({ total }) => Math.log(total));
  if (totals.length === 0) return [];
  return [{ tool: '', ln_total: middleOf(totals), ln_yield: null }, ...ofTools];
}

/** The field that operators' usual days make. */
export function fieldOf(usual: Iterable<UsualDay>): Field {
  const byTool = groupBy(usual, ({ tool }) => tool);
  const ranges = new Map<string, Range | null>();
  const all = (byTool.get('') ?? []).map(({ ln_total }) => ln_total);
  return {
    total: rangeOf(all, DAY_OUTLIER.operators),
    yieldWith(tool) {
      let range = ranges.get(tool);
      if (range === undefined) {
        const yields = (byTool.get(tool) ?? []).flatMap(({ ln_yield }) => ln_yield ?? []);
        ranges.set(tool, (range = rangeOf(yields, DAY_OUTLIER.operators)));
      }
      return range;
    },
  };
}

/** The days whose total, and the days with a tool whose yield, is far outside both ranges. */
export function outlierFindings(days: readonly ToolDay[], field: Field): (Finding | null)[] {
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
    return farOutside(yields, field.yieldWith(tool), tool);
  });
  return [farOutside(totals, field.total, ''), ...ofTools];
}

/** One number of a day. */
interface Measured {
  day: string;
  isNew: boolean;
  ln: number;
  amount: number;
}

function farOutside(days: readonly Measured[], others: Range | null, tool: string): Finding | null {
  if (!others || !days.some(({ isNew }) => isNew)) return null;
  const own = rangeOf(
    days.map(({ ln }) => ln),
    DAY_OUTLIER.days,
  );
  if (!own) return null;
  // What came when there was no range yet is judged once there is one.
  const isFirst = days.filter(({ isNew }) => !isNew).length < DAY_OUTLIER.days;
  const suspects = days.flatMap(({ day, isNew, ln, amount }): Suspect[] => {
    const statistic = Math.min(deviationsAbove(own, ln), deviationsAbove(others, ln));
    const verdict = isNew || isFirst ? verdictAbove(statistic, DAY_OUTLIER) : null;
    return verdict ? [{ day, verdict, statistic, threshold: DAY_OUTLIER[verdict], amount }] : [];
  });
  return findingAbout({ check: 'day_outlier', tool, n: own.n }, suspects);
}

function deviationsAbove({ median, scale }: Range, value: number): number {
  return (value - median) / scale;
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

/** Null where one of the three pillars is missing or zero. */
function lnYield({ input, output, cache_read }: ToolDay): number | null {
  if (!cache_read || input === 0 || output === 0) return null;
  return Math.log(cache_read) + Math.log(output) - 2 * Math.log(input);
}
