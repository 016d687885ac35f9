import type { NewSignalRecord, SignalRecordRow } from '#db/signal-records.ts';
import type { Store } from '#db/store.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { seriesOf } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES, forEachMetric } from '#core/domain/metrics/metrics.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import {
  MAX_LATE_DAYS,
  RECORD_DAYS,
  type RecordWindow,
  bestWindows,
  recordChain,
  stillHolds,
} from '#core/domain/board/signal-record.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecordData } from '../read/columns.ts';
import {
  type ProjectedOperator,
  VALUES_AT,
  reachAt,
  rowAt,
} from '../project/projected-operator.ts';
import { signedUsage } from '../project/usage-reader.ts';
import { intervalAt } from '../read/standing-numbers.ts';

interface Contender {
  id: number;
  operator: ProjectedOperator;
}

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
  look(store: Store, day: number, contenders: readonly Contender[]): void {
    this.#next = { log_index: store.log.head()?.index ?? 0, day };
    this.#check(store);
    const lookedAt = this.lookedAt(store, day);
    const changed = new Map(store.signalRecords.changedSince(lookedAt));
    const above = this.#heights(new Set(contenders.map(({ id }) => id)));
    const reaches = ({ id, operator }: Contender) =>
      changed.has(id) && mayBeat((index) => reachAt(operator, index), above);
    // On the first examination, every ranked operator may set a record.
    const known = lookedAt === Infinity ? new Map(store.signalRecords.changedSince(0)) : changed;
    const lastEntry = ({ id }: Contender) =>
      known.get(id) ?? store.operators.byId(id)?.log_index ?? 0;
    this.#found = [];
    contenders
      .filter((contender) => beatsToday(contender.operator, above) || reaches(contender))
      .map((contender) => ({ contender, entry: lastEntry(contender) }))
      .sort((a, b) => a.entry - b.entry)
      .forEach(({ contender }) => {
        const earlier = reaches(contender) ? this.#earlier(store, contender.id, above) : null;
        this.#found.push(...this.#beatenBy(store, contender, above, earlier));
      });
  }

  /** Stores the results, as first shown by the publication of an instant. */
  keep(store: Store, achieved_at: string): void {
    const rows = this.#found.map((found) => ({ ...found, achieved_at }));
    if (rows.length > 0) {
      store.transaction(() => store.signalRecords.add(rows));
      this.#records = store.signalRecords.all();
    }
    this.#found = [];
    this.#looked = this.#next;
  }

  /** Each metric's record and those beaten on the way to it, newest first. */
  data(positions: ReadonlyMap<number, number>): SignalRecordData[] {
    return METRIC_NAMES.flatMap((metric) =>
      this.#chain(metric, positions)
        .slice(0, MAX_BEATEN + 1)
        .map(({ operator_id, value, high, first_day, last_day, achieved_at, submission }) => ({
          metric,
          operator: positions.get(operator_id) as number,
          interval: [value, high],
          first_day,
          last_day,
          achieved_at,
          submission,
        })),
    );
  }

  /** The valid records of a metric: those of operators on the board whose days still support them. */
  #chain(metric: MetricName, of: { has: (id: number) => boolean }): SignalRecordRow[] {
    const standing = this.#records.filter((record) => {
      return record.metric === metric && of.has(record.operator_id) && !this.#void.has(record.id);
    });
    return recordChain(standing);
  }

  #heights(seen: ReadonlySet<number>): Record<MetricName, number> {
    return forEachMetric((metric) => this.#chain(metric, seen)[0]?.value ?? 0);
  }

  #check(store: Store): void {
    this.#records = store.signalRecords.all();
    const changed = this.#records.filter(({ changed_at }) => changed_at > this.#checkedAt);
    for (const [operator_id, own] of Map.groupBy(changed, (record) => record.operator_id)) {
      const series = seriesOf(signedUsage(store, operator_id));
      for (const { id, metric, value, last_day } of own) {
        const holds = stillHolds(series, { metric, value, last: dayNumber(last_day) });
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
    const terms = { ruleset: this.#ruleset, above, isOnTime };
    return bestWindows(seriesOf(signedUsage(store, operator_id)), this.#next.day, terms);
  }

  #beatenBy(
    store: Store,
    { id, operator }: Contender,
    above: Record<MetricName, number>,
    earlier: Record<MetricName, RecordWindow | null> | null,
  ): Found[] {
    return METRIC_NAMES.flatMap((metric, index) => {
      const best = better(todayOf(operator, index, this.#next.day), earlier?.[metric] ?? null);
      if (!best || best.value <= above[metric]) return [];
      const { value, interval, last } = best;
      const span = { operator_id: id, ...daysOf(last) };
      const { log_index } = store.signalRecords.sourceOf(span);
      if (log_index === null) return [];
      above[metric] = value;
      return [{ ...span, metric, value, high: interval[1], log_index }];
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

function todayOf(operator: ProjectedOperator, index: number, last: number): RecordWindow | null {
  const at = rowAt(operator, DEFAULT_SLICE, WINDOW);
  const metric = METRIC_NAMES[index];
  const interval = at === null || !metric ? null : intervalAt(operator.rows, at, metric);
  if (at === null || !interval) return null;
  const value = operator.rows[at + VALUES_AT + index] as number;
  return Number.isNaN(value) ? null : { value, interval, last };
}

function beatsToday(operator: ProjectedOperator, above: Readonly<Record<MetricName, number>>) {
  const at = rowAt(operator, DEFAULT_SLICE, WINDOW);
  return at !== null && mayBeat((index) => operator.rows[at + VALUES_AT + index] as number, above);
}

function mayBeat(valueAt: (index: number) => number, above: Readonly<Record<MetricName, number>>) {
  return METRIC_NAMES.some((metric, index) => valueAt(index) > above[metric]);
}

/** The better of two windows; if equal, the one that ended first. */
function better(today: RecordWindow | null, earlier: RecordWindow | null): RecordWindow | null {
  return earlier && earlier.value >= (today?.value ?? 0) ? earlier : today;
}
