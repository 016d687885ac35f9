/**
 * What somebody's own days say about working better: where yield is lost, and what it would be had these
 * days come up to what other own days reached. The board and `opbench improve` call the same function.
 *
 * @module
 */
import type {
  Diagnosis,
  Improvement,
  ImprovementTarget,
  NextClass,
  NoImprovement,
  YieldParts,
} from '../schema/improvement.ts';
import type { Pillars } from '../schema/usage.ts';
import { boundedChange, withChanges } from './bounded-change.ts';
import { sumPillars } from './bucket.ts';
import { dayName } from './day.ts';
import { type DayUsage, reportsRead } from './day-series.ts';
import { groupBy } from './group.ts';
import { evidenceOf, reachedDays } from './leak-evidence.ts';
import { LEAKS, type Leak, ratioOf } from './leaks.ts';
import { exactMetric, significant } from './metrics.ts';
import { type ToolDay, bestQuartile, toolDays } from './tool-days.ts';

/** A quarter of fewer days is no habit. */
export const LEAST_DAYS = 8;
/** A gain below a thousandth of yield is nothing; in ln. */
const LEAST_GAIN = Math.log(1.001);

/** What is looked at. */
export interface Diagnosed {
  /** All buckets that count; their total is at most 2^53-1. */
  usage: readonly DayUsage[];
  /** The first and the last day, by number. */
  first: number;
  last: number;
  /** The fewest tokens of a day that counts. */
  activeDayTokens: number;
  /** The class above, if it and its medians are known. */
  nextClass: NextClass | null;
}

/** What one tool's days are held against. */
interface ToolContext {
  tool: string;
  /** The sums of all tools over the buckets that report cache reads. */
  whole: Pillars;
  medians: NextClass['medians'][number] | undefined;
}

/** Finds the changes of habit that would bring most, the highest score first. */
export function improvementsOf(diagnosed: Diagnosed): Diagnosis {
  const { first, last, nextClass } = diagnosed;
  const usage = diagnosed.usage.filter(({ day }) => day >= first && day <= last);
  const whole = sumPillars(usage.filter(reportsRead));
  const present = partsOf(whole);
  const tools = [...groupBy(usage, ({ source }) => source.tool)].map(([tool, ofTool]) => {
    const medians = nextClass?.medians.find((known) => known.tool === tool);
    const days = LEAKS.map((leak) => toolDays(ofTool, leak, diagnosed.activeDayTokens));
    return { context: { tool, whole, medians }, days };
  });
  const entries = tools
    .flatMap(({ context, days }) =>
      LEAKS.flatMap((leak, index) => improvementOf(context, leak, days[index] ?? []) ?? []),
    )
    .sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
  const mostDays = Math.max(0, ...tools.flatMap(({ days }) => days.map(({ length }) => length)));
  return {
    from: dayName(first),
    to: dayName(last),
    present,
    next_class: nextClass,
    empty_because: entries.length > 0 ? null : whyNone(usage.length, present, mostDays),
    total: entries.length,
    entries,
  };
}

function improvementOf(
  context: ToolContext,
  leak: Leak,
  days: readonly ToolDay[],
): Improvement | null {
  const before = exactMetric('yield', context.whole);
  if (days.length < LEAST_DAYS || !before) return null;
  const target = targetOf(context, leak, days);
  const changes = boundedChange(days, leak, target.value);
  const simulated = partsOf(withChanges(context.whole, changes));
  const gain = Math.log((simulated.yield ?? 0) / before);
  if (!(gain >= LEAST_GAIN)) return null;
  const reached = days.filter(({ ratio }) => ratio >= target.value);
  const attainability = significant(reached.length / days.length);
  return {
    leak: leak.name,
    tool: context.tool,
    habit: leak.habit,
    trade_off: leak.trade_off,
    target: { ...target, value: significant(target.value) },
    evidence: evidenceOf(leak, days, changes),
    reached_on: reachedDays(reached),
    attainability,
    simulated,
    gain: significant(gain),
    score: significant(gain * attainability),
  };
}

/**
 * The nearer of what the best quarter of the days reached and the median of the next class. A median that
 * all days together have passed is no target.
 */
function targetOf(
  { medians }: ToolContext,
  leak: Leak,
  days: readonly ToolDay[],
): ImprovementTarget {
  const own = bestQuartile(days.map(({ ratio }) => ratio));
  const present = ratioOf(leak.ratio, sumPillars(days.map(({ counts }) => counts))) ?? 0;
  const median = leak.ratio === 'reuse' ? null : (medians?.[leak.ratio] ?? null);
  return median !== null && median > present && median < own
    ? { ratio: leak.ratio, value: median, from: 'next_class_median' }
    : { ratio: leak.ratio, value: own, from: 'own_best_quartile' };
}

function partsOf(counts: Pillars): YieldParts {
  return {
    yield: exactMetric('yield', counts),
    leverage: exactMetric('leverage', counts),
    velocity: exactMetric('velocity', counts),
  };
}

function whyNone(buckets: number, present: YieldParts, mostDays: number): NoImprovement {
  const without = { required: null, actual: null };
  if (buckets === 0) return { code: 'no_tokens', ...without };
  if (present.yield === null) return { code: 'yield_undefined', ...without };
  if (present.yield === 0) return { code: 'yield_zero', ...without };
  if (mostDays < LEAST_DAYS) return { code: 'days_low', required: LEAST_DAYS, actual: mostDays };
  return { code: 'nothing_to_gain', ...without };
}

/** Settles equal scores. */
function keyOf({ leak, tool }: Improvement): string {
  return `${leak}\n${tool}`;
}
