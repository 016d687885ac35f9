/**
 * Finds where an operator's own days lose yield, and simulates the yield if these days had reached the level of the
 * operator's better days. The board and `opbench improve` use the same function.
 *
 * @module
 */
import { atOnce } from '../text/steps.ts';
import {
  type Diagnosis,
  type Improvement,
  type ImprovementTarget,
  MAX_DIAGNOSED_TOOLS,
  type NextClass,
  type NoImprovement,
  type ToolDiagnosis,
  type YieldParts,
} from '#core/schema/improvement.ts';
import type { Pillars } from '#core/schema/usage.ts';
import {
  bestQuartile,
  concernedDays,
  fallInTwo,
  kindsOf,
  type MeasuredDay,
  toolDays,
} from './tool-days.ts';
import { boundedChange, evidenceOf, reachedDays, withChanges } from './bounded-change.ts';
import { sumPillars, totalOf } from '../counting/bucket.ts';
import { dayName } from '../counting/day.ts';
import { type DayUsage, reportsRead, seriesOf } from '../metrics/day-series.ts';
import { groupBy } from '../text/group.ts';
import { emptyReason, LEAST_DAYS, toolDiagnosis } from './tool-diagnosis.ts';
import { LEAKS, type Leak, ratioOf } from './leaks.ts';
import { exactMetric, significant } from '../metrics/metrics.ts';
import { noticeableBy } from '../metrics/conservative.ts';
import { methodNamed } from '../metrics/interval.ts';
import { type StandingRules, standingOf } from '../metrics/standing.ts';

/** The smallest gain that is reported: a thousandth of yield, in ln. */
const LEAST_GAIN = Math.log(1.001);

/** The input of the diagnosis. */
export interface Diagnosed {
  /** All counting buckets. Their total is at most 2^53-1. */
  usage: readonly DayUsage[];
  /** The first and the last day, by number. */
  first: number;
  last: number;
  /** Only active days are compared. */
  rules: StandingRules;
  /** The next higher class, if it and its medians are known; else null. */
  nextClass: NextClass | null;
}

/** What one tool's days are compared with. */
interface ToolContext {
  tool: string;
  /** The sums of all tools over the buckets that report cache reads. */
  whole: Pillars;
  /** The same of this tool. */
  own: Pillars;
  /** The yield of the tool above which a gain is more than luck. */
  noticeable: number;
  /** The number of days with enough tokens, over all tools. */
  allDays: number;
  medians: NextClass['medians'][number] | undefined;
}

/** The result for one tool's days. */
interface ToolOutcome {
  entries: Improvement[];
  isNoisy: boolean;
  /** The largest number of similar days on which any leak was measured. */
  mostDays: number;
  diagnosis: ToolDiagnosis;
}

/** Finds the changes of habit that would gain the most, highest score first. */
export function improvementsOf(diagnosed: Diagnosed): Diagnosis {
  return atOnce(improvementSteps(diagnosed));
}

/** The same in short steps, several at first and one for each tool. The caller can do other work between them. */
export function* improvementSteps(diagnosed: Diagnosed): Generator<undefined, Diagnosis> {
  const { first, last, nextClass } = diagnosed;
  const usage = diagnosed.usage.filter(({ day }) => day >= first && day <= last);
  yield;
  const whole = sumPillars(usage.filter(reportsRead));
  const present = partsOf(whole);
  const allDays = standingIn(diagnosed, usage)?.bases.all.active_days ?? 0;
  yield;
  const outcomes: ToolOutcome[] = [];
  for (const [tool, ofTool] of toolsByTokens(usage)) {
    yield;
    const medians = nextClass?.medians.find((known) => known.tool === tool);
    const own = sumPillars(ofTool.filter(reportsRead));
    const noticeable = noticeableIn(diagnosed, ofTool);
    const context = { tool, whole, own, noticeable, allDays, medians };
    outcomes.push(lookAt(context, ofTool, diagnosed.rules.active_day_tokens));
  }
  yield;
  const entries = byScore(outcomes.flatMap((outcome) => outcome.entries));
  return {
    from: dayName(first),
    to: dayName(last),
    present,
    next_class: nextClass,
    empty_because: entries.length > 0 ? null : whyNone(present, outcomes),
    tools: outcomes.slice(0, MAX_DIAGNOSED_TOOLS).map(({ diagnosis }) => diagnosis),
    total: entries.length,
    entries,
  };
}

/** The standing of these buckets; null without tokens. */
function standingIn({ first, last, rules }: Diagnosed, usage: readonly DayUsage[]) {
  const series = seriesOf([...usage].sort((a, b) => a.day - b.day));
  return standingOf(series, first, last, rules);
}

function noticeableIn(diagnosed: Diagnosed, usage: readonly DayUsage[]): number {
  const standing = standingIn(diagnosed, usage);
  const { yield: value = null } = standing?.metrics ?? {};
  const { yield: interval = null } = standing?.intervals ?? {};
  return noticeableBy('yield', { value, interval }, methodNamed(diagnosed.rules.interval));
}

/** Each tool's buckets, most tokens first, then by name. */
function toolsByTokens(usage: readonly DayUsage[]): [string, DayUsage[]][] {
  return [...groupBy(usage, ({ source }) => source.tool)]
    .map(([tool, ofTool]) => ({ tool, ofTool, total: totalOf(sumPillars(ofTool)) }))
    .sort((a, b) => b.total - a.total || (a.tool < b.tool ? -1 : 1))
    .map(({ tool, ofTool }) => [tool, ofTool]);
}

/** Looks for each leak on the days of one tool. */
function lookAt(
  context: ToolContext,
  usage: readonly DayUsage[],
  activeDayTokens: number,
): ToolOutcome {
  const kindsBy = LEAKS.map((leak) => {
    const days = concernedDays(toolDays(usage, leak, activeDayTokens), leak);
    return { leak, kinds: kindsOf(days, leak) };
  });
  const found = kindsBy.flatMap(({ leak, kinds }) => {
    return kinds.map((kind) => improvementOf(context, leak, kind));
  });
  const entries = bestOfEach(found.filter((one) => one !== null && one !== 'within_noise'));
  const isNoisy = found.includes('within_noise');
  const present = partsOf(context.own);
  const measured = { tool: context.tool, present, found: entries.length };
  return {
    entries,
    isNoisy,
    mostDays: Math.max(0, ...kindsBy.flatMap(({ kinds }) => kinds.map(({ length }) => length))),
    diagnosis: toolDiagnosis(measured, kindsBy[0]?.kinds ?? [], isNoisy),
  };
}

function byScore(found: readonly Improvement[]): Improvement[] {
  return [...found].sort((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The improvement with the highest score for each leak and tool. */
function bestOfEach(found: readonly Improvement[]): Improvement[] {
  return [...groupBy(byScore(found), keyOf).values()].flatMap(([best]) => best ?? []);
}

/** @param days Similar days. */
function improvementOf(
  context: ToolContext,
  leak: Leak,
  days: readonly MeasuredDay[],
): Improvement | 'within_noise' | null {
  const present = partsOf(context.own);
  if (days.length < LEAST_DAYS || !present.yield) return null;
  const target = targetOf(context, leak, days);
  const changes = boundedChange(days, leak, target.value);
  const simulated = partsOf(withChanges(context.own, changes));
  const gain = gainOf(present, simulated);
  if (!(gain >= LEAST_GAIN)) return null;
  const isClear =
    (simulated.yield ?? 0) > context.noticeable && fallInTwo(days.map(({ ratio }) => ratio));
  if (!isClear) return 'within_noise';
  const reached = days.filter(({ ratio }) => ratio >= target.value);
  const attainability = significant(reached.length / context.allDays);
  const overall = partsOf(withChanges(context.whole, changes));
  return {
    leak: leak.name,
    tool: context.tool,
    habit: leak.habit,
    trade_off: leak.trade_off,
    target: { ...target, value: significant(target.value) },
    evidence: { ...evidenceOf(leak, days, changes), days_reached: reached.length },
    reached_on: reachedDays(reached),
    attainability,
    simulated: overall,
    gain: significant(Math.max(0, gainOf(partsOf(context.whole), overall))),
    in_tool: { present, simulated, gain: significant(gain) },
    score: significant(gain * attainability),
  };
}

/** In ln; NaN if either yield is undefined or 0. */
function gainOf(present: YieldParts, simulated: YieldParts): number {
  return Math.log((simulated.yield ?? Number.NaN) / (present.yield ?? Number.NaN));
}

/**
 * The nearer of two targets: the level of the best quarter of the days, and the median of the next class. The
 * median is not a target if these days together already exceed it.
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

function whyNone(present: YieldParts, outcomes: readonly ToolOutcome[]): NoImprovement {
  const of = (code: NoImprovement['code']) => emptyReason({ code, required: null, actual: null });
  if (outcomes.length === 0) return of('no_tokens');
  if (present.yield === null) return of('yield_undefined');
  if (present.yield === 0) return of('yield_zero');
  if (outcomes.some(({ isNoisy }) => isNoisy)) return of('within_noise');
  const mostDays = Math.max(...outcomes.map((outcome) => outcome.mostDays));
  if (mostDays < LEAST_DAYS) {
    return emptyReason({ code: 'days_low', required: LEAST_DAYS, actual: mostDays });
  }
  return of('nothing_to_gain');
}

/** The sort key for equal scores. */
function keyOf({ leak, tool }: Improvement): string {
  return `${leak}\n${tool}`;
}
