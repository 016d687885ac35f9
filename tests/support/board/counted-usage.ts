import type { BucketSource, DayUsage } from '#core/domain/metrics/day-series.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Store } from '#db/store.ts';

/** What counts for an operator by the daily counts, sorted by day. Daily counts of the same source share one object. */
export function countedUsage({ buckets }: Store, operator_id: number): DayUsage[] {
  // Parts are added up by source, and sources are compared as objects.
  const sources = new Map<string, BucketSource>();
  const all = buckets.ofDays({ operator_id, from: '', to: '9999-12-31' });
  return all
    .filter(({ counts }) => counts === 1)
    .map(({ day, tool, provider, model, trust, counted }) => {
      const made: BucketSource = { tool, provider, model, trust };
      const key = JSON.stringify(made);
      const source = sources.get(key) ?? made;
      sources.set(key, source);
      return { day: dayNumber(day), source, ...counted };
    })
    .sort((a, b) => a.day - b.day);
}
