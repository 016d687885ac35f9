/**
 * What a standing is made of: its tokens by tool, provider, model and trust.
 *
 * @module
 */
import type { BoardTrust, WindowName } from '../schema/board.ts';
import type { ModelUsage, ToolUsage } from '../schema/operator.ts';
import type { Pillars } from '../schema/usage.ts';
import { addPillars, sumPillars, totalOf } from './bucket.ts';
import type { BoardSlice } from './board.ts';
import { type DayUsage, type UsageSource, onlyThose } from './day-series.ts';
import { groupBy } from './group.ts';
import { metricsOf, totalsOf } from './standing.ts';
import { WINDOWS, firstDayOf } from './window.ts';

/**
 * What a source's buckets add up to. Those that report different cache pillars are different parts, so
 * that a metric can leave out what it does not use.
 */
export interface SourceUsage extends Pillars {
  source: UsageSource;
}

/**
 * The parts of each window that ends with the day `last`; the same array where windows hold the same.
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

/** The parts of buckets from an index on, in the order in which they first appear. */
function sumBySource(usage: readonly DayUsage[], start: number): SourceUsage[] {
  const parts = new Map<UsageSource, (SourceUsage | undefined)[]>();
  for (let at = start; at < usage.length; at += 1) {
    const bucket = usage[at] as DayUsage;
    // As in a standing, a bucket without tokens says nothing, not even which pillars are reported.
    if (totalOf(bucket) === 0) continue;
    const { source, cache_write, cache_read } = bucket;
    let ofSource = parts.get(source);
    if (!ofSource) parts.set(source, (ofSource = []));
    const kind = (cache_write === null ? 0 : 1) + (cache_read === null ? 0 : 2);
    const part = (ofSource[kind] ??= {
      source,
      input: 0,
      output: 0,
      cache_write: null,
      cache_read: null,
    });
    addPillars(part, bucket);
  }
  return [...parts.values()].flatMap((ofSource) => ofSource.filter((part) => part !== undefined));
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

/** Whether devices signed the tokens. */
export function trustOf(parts: readonly SourceUsage[]): BoardTrust {
  const kinds = new Set(parts.filter(hasTokens).map(({ source }) => source.trust));
  if (kinds.size > 1) return 'mixed';
  return kinds.has('self_reported') ? 'self_reported' : 'signed';
}

/** What each tool with any token adds, most tokens first, then by name. */
export function usageByTool(parts: readonly SourceUsage[]): ToolUsage[] {
  return usageBy(parts, ({ tool }) => ({ tool }));
}

/** What each provider's model with any token adds, most tokens first, then by name. */
export function usageByModel(parts: readonly SourceUsage[]): ModelUsage[] {
  return usageBy(parts, ({ provider, model }) => ({ provider, model }));
}

function hasTokens(part: Pillars): boolean {
  return totalOf(part) > 0;
}

/** Adds up the parts that have the same key. */
function usageBy<Key extends object>(
  parts: readonly SourceUsage[],
  keyOf: (source: UsageSource) => Key,
) {
  const groups = groupBy(parts, ({ source }) => JSON.stringify(keyOf(source)));
  return [...groups.entries()]
    .map(([name, group]) => ({ name, group, totals: totalsOf(sumPillars(group)) }))
    .filter(({ totals }) => totals.total > 0)
    .sort((a, b) => b.totals.total - a.totals.total || (a.name < b.name ? -1 : 1))
    .map(({ name, group, totals }) => ({
      ...(JSON.parse(name) as Key),
      totals,
      metrics: metricsOf(group),
    }));
}
