/**
 * What a standing is made of: its tokens by tool, provider, model and trust.
 *
 * @module
 */
import type { BoardTrust } from '../schema/board.ts';
import type { ModelUsage, ToolUsage } from '../schema/operator.ts';
import type { Pillars } from '../schema/usage.ts';
import { addPillars, sumPillars, totalOf } from './bucket.ts';
import type { BoardSlice } from './board.ts';
import { type DayUsage, type UsageSource, daysOf, metricsOf, totalsOf } from './standing.ts';

/**
 * What a source's buckets add up to. Those that report different cache pillars are different parts, so
 * that a metric can leave out what it does not use.
 */
export interface SourceUsage extends Pillars {
  source: UsageSource;
}

/** The parts of the days `first` to `last`, in the order in which they first appear. */
export function partsOf(usage: readonly DayUsage[], first: number, last: number): SourceUsage[] {
  const parts = new Map<UsageSource, (SourceUsage | undefined)[]>();
  for (const bucket of daysOf(usage, first, last)) {
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
  const groups = Map.groupBy(parts, ({ source }) => JSON.stringify(keyOf(source)));
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
