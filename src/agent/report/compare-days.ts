/**
 * The best and worst days of a tool, and how they differ from its median day. Days of different tools are not compared,
 * because tools count input differently.
 *
 * @module
 */
import { NEWEST_RULESET } from '#core/domain/board/ruleset.ts';
import { sumPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { shapeOf } from '#core/domain/metrics/compute-metrics.ts';
import { middleOf } from '#core/domain/metrics/median.ts';
import { metricsOf } from '#core/domain/metrics/standing.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';

/** The numbers of a day that are compared. Shares are of all tokens of the tool on that day. */
export interface DayFigures {
  yield: number;
  leverage: number;
  velocity: number;
  tokens: number;
  input: number;
  cache_read: number;
}

interface ShareOf {
  name: string;
  share: number;
  /** The share on all days. */
  usual: number;
}

export interface ComparedDay extends DayFigures {
  day: string;
  /** Models whose share differs most from the usual one. */
  models: ShareOf[];
  /** Other tools of that day, with their share of all tokens of the day. */
  others: { tool: string; share: number }[];
}

export interface ToolDays {
  tool: string;
  /** The number of compared days. */
  days: number;
  /** The median of each figure, taken separately. */
  median: DayFigures;
  best: ComparedDay[];
  /** Worst first. */
  worst: ComparedDay[];
}

/** The fewest days for a comparison, so that a median day exists. */
export const LEAST_DAYS = 8;
/** The most days at each end, and the share of all days that they may be. */
const MOST_SHOWN = 3;
const SHARE_SHOWN = 0.25;
const SHOWN_MODELS = 2;
/** Smaller differences of a model's share are not shown. */
const NOTABLE = 0.1;

/**
 * The comparison for each tool with enough days, most tokens first. Only active days with a yield are compared.
 *
 * @param buckets Their total is at most 2^53-1.
 */
export function compareDays(buckets: readonly Bucket[]): ToolDays[] {
  const onDay = groupBy(buckets, ({ day }) => day);
  const tools = [...groupBy(buckets, ({ tool }) => tool)];
  return tools
    .sort(([, a], [, b]) => tokensIn(b) - tokensIn(a))
    .flatMap(([tool, those]) => comparedTool(tool, those, onDay) ?? []);
}

function comparedTool(
  tool: string,
  buckets: readonly Bucket[],
  onDay: ReadonlyMap<string, readonly Bucket[]>,
): ToolDays | null {
  const usual = sharesOf(buckets);
  const days = [...groupBy(buckets, ({ day }) => day)].flatMap(([day, those]) => {
    const figures = figuresOf(those);
    return figures === null ? [] : [{ day, those, figures }];
  });
  if (days.length < LEAST_DAYS) return null;
  const ordered = days.sort((a, b) => b.figures.yield - a.figures.yield);
  const shown = Math.min(MOST_SHOWN, Math.floor(days.length * SHARE_SHOWN));
  const compared = ({ day, those, figures }: (typeof days)[number]): ComparedDay => ({
    day,
    ...figures,
    models: unusualModels(sharesOf(those), usual),
    others: othersOn(onDay.get(day) ?? [], tool),
  });
  return {
    tool,
    days: days.length,
    median: medianOf(days.map(({ figures }) => figures)),
    best: ordered.slice(0, shown).map(compared),
    worst: ordered.slice(-shown).reverse().map(compared),
  };
}

/** Null for a day that is not active or has no yield. */
function figuresOf(buckets: readonly Bucket[]): DayFigures | null {
  const sums = sumPillars(buckets);
  const tokens = totalOf(sums);
  const { yield: value, leverage, velocity } = metricsOf(buckets);
  if (tokens < NEWEST_RULESET.active_day_tokens) return null;
  if (value === null || leverage === null || velocity === null) return null;
  const { input, cache_read } = shapeOf(sums);
  return { yield: value, leverage, velocity, tokens, input, cache_read: cache_read ?? 0 };
}

const FIGURES = ['yield', 'leverage', 'velocity', 'tokens', 'input', 'cache_read'] as const;

function medianOf(days: readonly DayFigures[]): DayFigures {
  const entries = FIGURES.map((name) => {
    return [name, middleOf(Float64Array.from(days, (day) => day[name]).sort())] as const;
  });
  return Object.fromEntries(entries) as Record<keyof DayFigures, number>;
}

/** The share of each model in the tokens. */
function sharesOf(buckets: readonly Bucket[]): Map<string, number> {
  const total = tokensIn(buckets);
  const models = groupBy(buckets, ({ model }) => model);
  return new Map(Array.from(models, ([model, those]) => [model, tokensIn(those) / total]));
}

function unusualModels(
  shares: ReadonlyMap<string, number>,
  usual: ReadonlyMap<string, number>,
): ShareOf[] {
  return Array.from(usual, ([name, share]) => ({
    name,
    usual: share,
    share: shares.get(name) ?? 0,
  }))
    .filter((model) => Math.abs(model.share - model.usual) >= NOTABLE)
    .sort((a, b) => Math.abs(b.share - b.usual) - Math.abs(a.share - a.usual))
    .slice(0, SHOWN_MODELS);
}

function othersOn(buckets: readonly Bucket[], tool: string): ComparedDay['others'] {
  const total = tokensIn(buckets);
  const others = groupBy(
    buckets.filter((bucket) => bucket.tool !== tool && totalOf(bucket) > 0),
    (bucket) => bucket.tool,
  );
  return Array.from(others, ([name, those]) => ({ tool: name, share: tokensIn(those) / total }));
}

function tokensIn(parts: readonly Pillars[]): number {
  return parts.reduce((sum, part) => sum + totalOf(part), 0);
}
