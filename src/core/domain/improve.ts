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
import { fallInTwo, kindsOf } from './alike-days.ts';
import { boundedChange, withChanges } from './bounded-change.ts';
import { sumPillars } from './bucket.ts';
import { dayName } from './day.ts';
import { type DayUsage, reportsRead, seriesOf } from './day-series.ts';
import { groupBy } from './group.ts';
import { evidenceOf, reachedDays } from './leak-evidence.ts';
import { LEAKS, type Leak, ratioOf } from './leaks.ts';
import { exactMetric, significant } from './metrics.ts';
import { standingOf } from './standing.ts';
import { type MeasuredDay, bestQuartile, concernedDays, toolDays } from './tool-days.ts';

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
  /** The upper end of the present yield's interval, above which a gain is more than luck. */
  high: number;
  /** Days of enough tokens, of whatever tool. */
  allDays: number;
  medians: NextClass['medians'][number] | undefined;
}

/** Finds the changes of habit that would bring most, the highest score first. */
export function improvementsOf(diagnosed: Diagnosed): Diagnosis {
  const { first, last, nextClass } = diagnosed;
  const usage = diagnosed.usage.filter(({ day }) => day >= first && day <= last);
  const whole = sumPillars(usage.filter(reportsRead));
  const present = partsOf(whole);
  const shared = { whole, ...spreadOf(diagnosed, usage) };
  const candidates = [...groupBy(usage, ({ source }) => source.tool)].flatMap(([tool, ofTool]) => {
    const medians = nextClass?.medians.find((known) => known.tool === tool);
    return LEAKS.flatMap((leak) => {
      const days = concernedDays(toolDays(ofTool, leak, diagnosed.activeDayTokens), leak);
      return kindsOf(days, leak).map((kind) => ({
        kind,
        leak,
        context: { ...shared, tool, medians },
      }));
    });
  });
  const found = candidates.map(({ context, leak, kind }) => improvementOf(context, leak, kind));
  const entries = bestOfEach(found.filter((one) => one !== null && one !== 'within_noise'));
  const why = found.includes('within_noise')
    ? ({ code: 'within_noise', required: null, actual: null } as const)
    : whyNone(usage.length, present, Math.max(0, ...candidates.map(({ kind }) => kind.length)));
  return {
    from: dayName(first),
    to: dayName(last),
    present,
    next_class: nextClass,
    empty_because: entries.length > 0 ? null : why,
    total: entries.length,
    entries,
  };
}

function spreadOf({ first, last, activeDayTokens }: Diagnosed, usage: readonly DayUsage[]) {
  const series = seriesOf([...usage].sort((a, b) => a.day - b.day));
  const standing = standingOf(series, first, last, activeDayTokens);
  return {
    high: standing?.intervals.yield?.[1] ?? Number.POSITIVE_INFINITY,
    allDays: standing?.bases.all.active_days ?? 0,
  };
}

/** The highest score first; of the kinds of days with one leak and tool the one that has it. */
function bestOfEach(found: readonly Improvement[]): Improvement[] {
  const sorted = [...found].sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
  return [...groupBy(sorted, keyOf).values()].flatMap(([best]) => best ?? []);
}

/** @param days Of one kind. */
function improvementOf(
  context: ToolContext,
  leak: Leak,
  days: readonly MeasuredDay[],
): Improvement | 'within_noise' | null {
  const before = exactMetric('yield', context.whole);
  if (days.length < LEAST_DAYS || !before) return null;
  const target = targetOf(context, leak, days);
  const changes = boundedChange(days, leak, target.value);
  const simulated = partsOf(withChanges(context.whole, changes));
  const gain = Math.log((simulated.yield ?? 0) / before);
  if (!(gain >= LEAST_GAIN)) return null;
  const isClear =
    (simulated.yield ?? 0) > context.high && fallInTwo(days.map(({ ratio }) => ratio));
  if (!isClear) return 'within_noise';
  const reached = days.filter(({ ratio }) => ratio >= target.value);
  const attainability = significant(reached.length / context.allDays);
  return {
    leak: leak.name,
    tool: context.tool,
    habit: leak.habit,
    trade_off: leak.trade_off,
    target: { ...target, value: significant(target.value) },
    evidence: { ...evidenceOf(leak, days, changes), days_reached: reached.length },
    reached_on: reachedDays(reached),
    attainability,
    simulated,
    gain: significant(gain),
    score: significant(gain * attainability),
  };
}

/**
 * The nearer of what the best quarter of the days reached and the median of the next class. A median that
 * all these days together have passed is no target.
 */
function targetOf(
  { medians }: ToolContext,
  leak: Leak,
  days: readonly MeasuredDay[],
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
