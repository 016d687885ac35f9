/**
 * The parts of a standing: its tokens by tool, provider, model and trust.
 *
 * @module
 */
import { atOnce, groupInSteps } from '../text/steps.ts';
import type { BoardTrust, WindowName } from '#core/schema/board.ts';
import type { ModelUsage, OtherUsage, ToolUsage } from '#core/schema/operator.ts';
import { SHOWN_MODELS, SHOWN_TOOLS } from '#core/schema/shown.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { addPillars, sumPillars, totalOf } from '../counting/bucket.ts';
import type { BoardSlice } from './board.ts';
import { type DayUsage, type BucketSource, onlyThose } from '../metrics/day-series.ts';
import { groupBy } from '../text/group.ts';
import { metricsOf, totalsOf } from '../metrics/standing.ts';
import { WINDOWS, firstDayOf } from '../metrics/window.ts';

/**
 * The sums of a source's buckets. Buckets that report different cache pillars are separate parts, so that a
 * metric can leave out the ones it does not use.
 */
export interface SourceUsage extends Pillars {
  source: BucketSource;
}

/**
 * The most separate parts of one operator and window. Beyond it, the pairs of provider and model with the fewest
 * tokens are merged, so that no operator can make a publication, or a response, large.
 */
export const MAX_PARTS = 1000;

/** Provider and model of merged pairs. Real names are never empty. */
const OTHERS = '';

/**
 * The parts of each window that ends with the day `last`. Windows with the same buckets share an array.
 *
 * @param usage Sorted by day.
 */
export function partsOf(
  usage: readonly DayUsage[],
  last: number,
): Record<WindowName, SourceUsage[]> {
  const known = onlyThose(usage, ({ day }) => day <= last);
  const byStart = new Map<number, SourceUsage[]>();
  const parts = WINDOWS.map((window) => {
    const first = firstDayOf(window, last);
    const begin = known.findIndex(({ day }) => day >= first);
    const start = begin < 0 ? known.length : begin;
    let ofWindow = byStart.get(start);
    if (!ofWindow) byStart.set(start, (ofWindow = sumBySource(known, start)));
    return [window, ofWindow];
  });
  return Object.fromEntries(parts) as Record<WindowName, SourceUsage[]>;
}

/**
 * The parts of the buckets starting at an index, by name. Their order does not depend on the order of a day's buckets,
 * which is different in each database.
 */
function sumBySource(usage: readonly DayUsage[], start: number): SourceUsage[] {
  const parts = new Map<BucketSource, (SourceUsage | undefined)[]>();
  for (let at = start; at < usage.length; at += 1) {
    const bucket = usage[at] as DayUsage;
    // As in a standing, a bucket without tokens is ignored, also for which pillars are reported.
    if (totalOf(bucket) === 0) continue;
    const { source } = bucket;
    let ofSource = parts.get(source);
    if (!ofSource) parts.set(source, (ofSource = []));
    addPillars((ofSource[kindOf(bucket)] ??= emptyPart(source)), bucket);
  }
  const named = [...parts].map(([source, ofSource]) => ({ name: sourceName(source), ofSource }));
  named.sort((a, b) => (a.name < b.name ? -1 : 1));
  return atOnce(withoutSmall(named.flatMap(({ ofSource }) => thoseThere(ofSource))));
}

/** Which cache pillars are reported, as a number. */
function kindOf({ cache_write, cache_read }: Pillars): number {
  return (cache_write === null ? 0 : 1) + (cache_read === null ? 0 : 2);
}

function emptyPart(source: BucketSource): SourceUsage {
  return { source, input: 0, output: 0, cache_write: null, cache_read: null };
}

function thoseThere(parts: readonly (SourceUsage | undefined)[]): SourceUsage[] {
  return parts.filter((part) => part !== undefined);
}

/** Sums daily counts by source. Unlike {@linkcode partsOf}, it can be given the counts of a large account bit by bit. */
export class SourceSums {
  readonly #parts = new Map<string, (SourceUsage | undefined)[]>();

  add(usage: readonly DayUsage[]): void {
    for (const part of sumBySource(usage, 0)) {
      const name = sourceName(part.source);
      const ofSource = this.#parts.get(name) ?? [];
      this.#parts.set(name, ofSource);
      addPillars((ofSource[kindOf(part)] ??= emptyPart(part.source)), part);
    }
  }

  /** The parts in any order, in steps, because there can be a hundred thousand. */
  parts(): Generator<undefined, SourceUsage[]> {
    return withoutSmall([...this.#parts.values()].flatMap(thoseThere));
  }
}

/** Names contain no line feeds. */
function sourceName({ tool, provider, model, trust }: BucketSource): string {
  return `${tool}\n${provider}\n${model}\n${trust}`;
}

/** Keeps the pairs of provider and model with the most tokens, with all their parts, and merges the others by tool. */
function* withoutSmall(parts: SourceUsage[]): Generator<undefined, SourceUsage[]> {
  if (parts.length <= MAX_PARTS) return parts;
  yield;
  const kept: SourceUsage[] = [];
  const small: SourceUsage[] = [];
  const pairs = yield* groupInSteps(parts, ({ source }) => pairName(source));
  yield;
  const largest = largestFirst(pairs);
  yield;
  for (const { group } of largest) {
    const isKept = small.length === 0 && kept.length + group.length <= MAX_PARTS;
    (isKept ? kept : small).push(...group);
  }
  const merged = yield* groupInSteps(small, ({ source, cache_write, cache_read }) => {
    return JSON.stringify([source.tool, source.trust, cache_write === null, cache_read === null]);
  });
  const others = [...merged.values()].map((group): SourceUsage => {
    const { tool, trust } = (group[0] as SourceUsage).source;
    return { source: { tool, trust, provider: OTHERS, model: OTHERS }, ...sumPillars(group) };
  });
  return [...kept, ...others];
}

/** The parts that a slice counts. */
export function partsInSlice(
  parts: readonly SourceUsage[],
  { tool, trust }: BoardSlice,
): SourceUsage[] {
  return parts.filter(({ source }) => {
    return (tool === null || source.tool === tool) && (trust === 'all' || source.trust === trust);
  });
}

/** The tools with any token, sorted. */
export function toolsOf(parts: readonly SourceUsage[]): string[] {
  return [...new Set(parts.filter(hasTokens).map(({ source }) => source.tool))].sort();
}

/** The tools that a row shows: those with the most tokens, sorted by name. */
export function shownTools(parts: readonly SourceUsage[]): string[] {
  const tools = toolsOf(parts);
  if (tools.length <= SHOWN_TOOLS) return tools;
  const groups = groupBy(parts.filter(hasTokens), ({ source }) => source.tool);
  return largestFirst(groups)
    .slice(0, SHOWN_TOOLS)
    .map(({ name }) => name)
    .sort();
}

/** Whether the tokens are signed, self-reported, or mixed. */
export function trustOf(parts: readonly SourceUsage[]): BoardTrust {
  const kinds = new Set(parts.filter(hasTokens).map(({ source }) => source.trust));
  if (kinds.size > 1) return 'mixed';
  return kinds.has('self_reported') ? 'self_reported' : 'signed';
}

/** The usage of each tool with tokens, most tokens first, then by name. */
export function usageByTool(parts: readonly SourceUsage[]): ToolUsage[] {
  const groups = groupBy(parts.filter(hasTokens), ({ source }) => source.tool);
  return largestFirst(groups).map(({ name: tool, group }) => ({ tool, ...addedUp(group) }));
}

/** The usage of each model with tokens, most tokens first, then by name, and the sum of the rest. */
export function usageByModel(parts: readonly SourceUsage[]): {
  models: ModelUsage[];
  other_models: OtherUsage | null;
} {
  const named = parts.filter(({ source }) => source.model !== OTHERS);
  const groups = largestFirst(groupBy(named.filter(hasTokens), ({ source }) => pairName(source)));
  const models = groups.slice(0, SHOWN_MODELS).map(({ group }) => {
    const { provider, model } = (group[0] as SourceUsage).source;
    return { provider, model, ...addedUp(group) };
  });
  const unnamed = parts.filter(({ source }) => source.model === OTHERS);
  const rest = [...groups.slice(SHOWN_MODELS).flatMap(({ group }) => group), ...unnamed];
  if (rest.length === 0) return { models, other_models: null };
  const pairs = unnamed.length > 0 ? null : groups.length - SHOWN_MODELS;
  return { models, other_models: { pairs, ...addedUp(rest) } };
}

/** Provider and model as one string, which also serves as the sort key. */
function pairName({ provider, model }: BucketSource): string {
  return JSON.stringify({ provider, model });
}

function hasTokens(part: Pillars): boolean {
  return totalOf(part) > 0;
}

/** Groups with their totals, most tokens first, then by name. */
function largestFirst(groups: ReadonlyMap<string, SourceUsage[]>) {
  return [...groups]
    .map(([name, group]) => ({ name, group, total: totalOf(sumPillars(group)) }))
    .sort((a, b) => b.total - a.total || (a.name < b.name ? -1 : 1));
}

function addedUp(group: readonly SourceUsage[]): Pick<ToolUsage, 'metrics' | 'totals'> {
  return { totals: totalsOf(sumPillars(group)), metrics: metricsOf(group) };
}
