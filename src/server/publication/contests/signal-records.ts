import type { NewSignalRecord, SignalRecordRow } from '#db/signal-records.ts';
import type { Store } from '#db/store.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { type DaySeries, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { METRIC_NAMES, forEachMetric } from '#core/domain/metrics/metrics.ts';
import { type Ruleset, intervalIn, versionOfRuleset } from '#core/domain/board/ruleset.ts';
import {
  MAX_LATE_DAYS,
  RECORD_DAYS,
  type RecordWindow,
  bestWindows,
  recordChain,
  stillHolds,
} from '#core/domain/board/signal-record.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { statedSpans } from '#core/domain/board/stated-share.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Field } from '../project/field.ts';
import type { SignalRecordData } from '../state/board-state.ts';
import { standingAt, valueAt } from '../state/standing-row.ts';
import { announceRecords } from './announcements.ts';

type Found = Omit<NewSignalRecord, 'achieved_at'>;

interface Look {
  log_index: number;
  day: number;
}

const WINDOW = '30d';

/** The most beaten records of each metric in a publication. */
const MAX_BEATEN = 50;

/**
 * Looks for records in each publication: in the windows that end on its day, which are computed anyway, and in
 * earlier windows of operators with changes.
 */
export class SignalRecords {
  readonly #ruleset: Ruleset;
  /** The IDs of records that their holders' days no longer support, up to a log entry. */
  readonly #void = new Set<number>();
  #checkedAt = -1;
  #records: SignalRecordRow[] = [];
  #found: Found[] = [];
  #looked: Look | null = null;
  #next: Look = { log_index: 0, day: 0 };

  constructor(ruleset: Ruleset) {
    this.#ruleset = ruleset;
  }

  /**
   * The entry up to which operators' earlier windows were examined. Infinity if the board was never examined, so that
   * no earlier windows are read. -1 after a day without a publication, so that those of all operators are read.
   */
  lookedAt(store: Store, day: number): number {
    const before = this.#looked ?? lastLook(store);
    if (!before) return Infinity;
    return before.day < day - 1 ? -1 : before.log_index;
  }

  /**
   * Finds operators who beat a record, in the order of their last entries, each above the one before. Call it inside
   * the snapshot in which the operators were read.
   *
   * @param day The number of the day on which windows end.
   */
  look(store: Store, day: number, field: Field): void {
    this.#next = { log_index: store.log.head()?.index ?? 0, day };
    this.#check(store);
    const lookedAt = this.lookedAt(store, day);
    const changed = store.signalRecords.changedSince(lookedAt);
    const above = this.#heights(field);
    const reaching = new Set<number>();
    for (const [id] of changed) {
      const slot = field.slotOf(id);
      if (slot === null) continue;
      const reach = field.reachOf(id);
      if (METRIC_NAMES.some((metric) => reach[metric] > above[metric])) reaching.add(slot);
    }
    const beating = METRIC_NAMES.flatMap((metric) => leadersAbove(field, metric, above[metric]));
    const lastEntry = (slot: number) => store.operators.byId(field.idOf(slot))?.log_index ?? 0;
    this.#found = [];
    [...new Set([...beating, ...reaching])]
      .map((slot) => ({ slot, entry: lastEntry(slot) }))
      .sort((a, b) => a.entry - b.entry)
      .forEach(({ slot }) => {
        const earlier = reaching.has(slot) ? this.#earlier(store, field.idOf(slot), above) : null;
        this.#found.push(...this.#beatenBy(store, { field, slot }, above, earlier));
      });
  }

  /** Stores the results, as first shown by the publication of an instant. */
  keep(store: Store, achieved_at: string): void {
    const rows = this.#found.map((found) => ({ ...found, achieved_at }));
    if (rows.length > 0) {
      store.transaction(() => {
        store.signalRecords.add(rows);
        announceRecords(store, rows, new Date(achieved_at));
      });
      this.#records = store.signalRecords.all();
    }
    this.#found = [];
    this.#looked = this.#next;
  }

  /**
   * Each metric's record and those beaten on the way to it, newest first; then those of earlier versions of the ranking
   * rules, with which later ones cannot be compared.
   */
  data(field: Field): SignalRecordData[] {
    const versions = new Set([this.#rules, ...this.#records.map(({ rules }) => rules)]);
    const newestFirst = [...versions].sort((a, b) => b - a);
    return METRIC_NAMES.flatMap((metric) =>
      newestFirst
        .flatMap((rules) => this.#chain(metric, rules, field))
        .slice(0, MAX_BEATEN + 1)
        .map(({ rules, value, low, high, first_day, last_day, achieved_at, ...record }) => ({
          metric,
          operator: field.slotOf(record.operator_id) as number,
          ...{ rules, value, interval: [low, high], first_day, last_day, achieved_at },
          submission: record.submission,
        })),
    );
  }

  /** The valid records of a metric: those of operators on the board whose days still support them. */
  #chain(metric: MetricName, rules: number, field: Pick<Field, 'slotOf'>): SignalRecordRow[] {
    const standing = this.#records.filter((record) => {
      const isMeant = record.metric === metric && record.rules === rules;
      return isMeant && field.slotOf(record.operator_id) !== null && !this.#void.has(record.id);
    });
    return recordChain(standing);
  }

  get #rules(): number {
    return versionOfRuleset(this.#ruleset.id);
  }

  #heights(field: Field): Record<MetricName, number> {
    return forEachMetric((metric) => this.#chain(metric, this.#rules, field)[0]?.value ?? 0);
  }

  #check(store: Store): void {
    this.#records = store.signalRecords.all();
    const changed = this.#records.filter(({ changed_at }) => changed_at > this.#checkedAt);
    for (const [operator_id, own] of Map.groupBy(changed, (record) => record.operator_id)) {
      const series = signedSeries(store, operator_id);
      for (const { id, metric, rules, value, last_day } of own) {
        const record = { metric, value, last: dayNumber(last_day) };
        const { active_day_tokens } = this.#ruleset;
        const holds = stillHolds(series, record, {
          active_day_tokens,
          interval: intervalIn(rules),
        });
        if (holds) this.#void.delete(id);
        else this.#void.add(id);
      }
    }
    this.#checkedAt = this.#next.log_index;
  }

  #earlier(store: Store, operator_id: number, above: Readonly<Record<MetricName, number>>) {
    const isOnTime = (last: number) => {
      const { late_days } = store.signalRecords.sourceOf({ operator_id, ...daysOf(last) });
      return late_days !== null && late_days <= MAX_LATE_DAYS;
    };
    const ruleset = this.#ruleset;
    const series = signedSeries(store, operator_id);
    const stated = ruleset.stated_days
      ? statedSpans(series.all.day, store.changedDays.covered(operator_id))
      : null;
    return bestWindows(series, this.#next.day, { ruleset, above, stated, isOnTime });
  }

  #beatenBy(
    store: Store,
    { field, slot }: { field: Field; slot: number },
    above: Record<MetricName, number>,
    earlier: Record<MetricName, RecordWindow | null> | null,
  ): Found[] {
    return METRIC_NAMES.flatMap((metric) => {
      const best = better(todayOf(field, slot, metric, this.#next.day), earlier?.[metric] ?? null);
      if (!best || best.value <= above[metric]) return [];
      const { value, interval, last } = best;
      const span = { operator_id: field.idOf(slot), ...daysOf(last) };
      const { log_index } = store.signalRecords.sourceOf(span);
      if (log_index === null) return [];
      above[metric] = value;
      const [low, high] = interval;
      return [{ ...span, metric, rules: this.#rules, value, low, high, log_index }];
    });
  }
}

function lastLook(store: Store): Look | null {
  const [last] = store.publications.kept();
  return last ? { log_index: last.log_index, day: dayNumber(last.as_of) } : null;
}

function daysOf(last: number) {
  return { first_day: dayName(last - RECORD_DAYS + 1), last_day: dayName(last) };
}

/** The operators whose current window beats a value, best first. */
function leadersAbove(field: Field, metric: MetricName, above: number): number[] {
  const index = METRIC_NAMES.indexOf(metric);
  const leaders: number[] = [];
  for (const slot of field.ranked(DEFAULT_SLICE, WINDOW, metric)) {
    const row = field.row(slot, DEFAULT_SLICE, WINDOW);
    if (!row || !(valueAt(row.numbers, row.at, index) > above)) break;
    leaders.push(slot);
  }
  return leaders;
}

function todayOf(
  field: Field,
  slot: number,
  metric: MetricName,
  last: number,
): RecordWindow | null {
  const row = field.row(slot, DEFAULT_SLICE, WINDOW);
  if (!row) return null;
  const value = valueAt(row.numbers, row.at, METRIC_NAMES.indexOf(metric));
  if (Number.isNaN(value)) return null;
  const interval = standingAt(row).intervals[metric] as Interval;
  return { value, interval, last };
}

/** The better of two windows; if equal, the one that ended first. */
function better(today: RecordWindow | null, earlier: RecordWindow | null): RecordWindow | null {
  return earlier && earlier.value >= (today?.value ?? 0) ? earlier : today;
}

function signedSeries({ usage }: Pick<Store, 'usage'>, operator_id: number): DaySeries {
  return seriesOf(usage.signed({ operator_id, from: '', to: '9999-12-31' }));
}
