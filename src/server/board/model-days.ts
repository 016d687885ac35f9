import { addPillars } from '#core/domain/counting/bucket.ts';
import { type DayUsage, reportsRead } from '#core/domain/metrics/day-series.ts';

/** Buckets added up by day, tool, model and which cache pillars they report. */
export class ModelDays {
  readonly #days = new Map<number, Map<DayUsage['source'], DayUsage[]>>();
  readonly #sources = new Map<string, DayUsage['source']>();

  /** @param usage Sorted by day, as are all that are added one after the other. */
  add(usage: readonly DayUsage[]): void {
    const shared = new Map<DayUsage['source'], DayUsage['source']>();
    for (const bucket of usage) {
      const source = shared.get(bucket.source) ?? this.#ofModel(bucket.source);
      shared.set(bucket.source, source);
      const ofDay = this.#days.get(bucket.day) ?? new Map<DayUsage['source'], DayUsage[]>();
      this.#days.set(bucket.day, ofDay);
      const kinds = ofDay.get(source) ?? [];
      ofDay.set(source, kinds);
      const same = kinds.find((kind) => reportsAlike(kind, bucket));
      if (same) addPillars(same, bucket);
      else kinds.push({ ...bucket, source });
    }
  }

  /** Sorted by day. */
  all(): DayUsage[] {
    return [...this.#days.values()].flatMap((ofDay) => [...ofDay.values()].flat());
  }

  #ofModel({ tool, model, trust }: DayUsage['source']): DayUsage['source'] {
    const key = `${tool}\n${model}\n${trust}`;
    const known = this.#sources.get(key) ?? { tool, provider: '', model, trust };
    this.#sources.set(key, known);
    return known;
  }
}

function reportsAlike(a: DayUsage, b: DayUsage): boolean {
  return reportsRead(a) === reportsRead(b) && (a.cache_write === null) === (b.cache_write === null);
}
