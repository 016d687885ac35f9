/**
 * One operator according to the log: visibility, and which buckets count.
 *
 * @module
 */
import type { VisibilityPayload } from '#core/schema/log-payload.ts';
import type { Covers } from '#core/schema/snapshot.ts';
import { totalOf } from '../counting/bucket.ts';
import { type CountedBucket, Replay, type CountedSubmission } from '../counting/counting.ts';
import { type DaySeries, type DayUsage, seriesOf } from '../metrics/day-series.ts';
import { dayNumber } from '../counting/day.ts';
import { type Intern, PackedSubmissions } from './packed-submissions.ts';
import { DEFAULT_SLICE, sliceKey, usageBySlice } from '../board/slices.ts';
import {
  ACCEPTED,
  type LoggedState,
  type StateKind,
  afterEntry,
  afterCompromise,
  stateOf,
} from './submission-state.ts';
import { type DaySpan, type StatedSpans, statedSpans } from '../board/stated-share.ts';
import { visibilityOf } from '../board/visibility.ts';

/** A submission with its state. */
interface LoggedSubmission {
  state: LoggedState;
  submission: CountedSubmission;
}

/** An operator according to the log. */
export class LoggedAccount {
  /** The operator's privacy mode and name, from its last `visibility` entry. */
  view: VisibilityPayload | null = null;
  isHidden = false;
  readonly #packed: PackedSubmissions;
  readonly #submissions: Map<number, LoggedSubmission> | null;
  /** The spans that submissions state, by log index; null without any. */
  #covered: Map<number, DaySpan> | null = null;
  /** Large, so it may be computed again for each slice of a large board. */
  #usage: WeakRef<AccountUsage> | null = null;
  #extent: UsageExtent | null = null;
  #stated: StatedSpans | null = null;

  constructor(isRecounted: boolean, intern: Intern) {
    this.#submissions = isRecounted ? new Map() : null;
    this.#packed = new PackedSubmissions(intern);
  }

  /** Whether the operator is visible on the board, under any name. */
  get isSeen(): boolean {
    if (this.view === null) return false;
    const unnamed = { codename: '', alias: '', isHidden: this.isHidden };
    return visibilityOf(this.view.privacy_mode, unnamed).public_name !== null;
  }

  /** By log index. Empty unless a submission of the operator ever stopped counting. */
  get submissions(): ReadonlyMap<number, LoggedSubmission> {
    return this.#submissions ?? new Map();
  }

  /** The standing buckets of all devices, and how much of them counts. */
  get buckets(): CountedBucket[] {
    const replay = new Replay();
    for (const submission of this.#accepted()) replay.apply(submission);
    return replay.result();
  }

  /** The counting usage, computed on demand. */
  get usage(): AccountUsage {
    const known = this.#usage?.deref();
    if (known) return known;
    const usage = new AccountUsage(this.buckets);
    this.#usage = new WeakRef(usage);
    return usage;
  }

  /** The signed days of all tools; null without any. Not kept, so that a loop needs memory for one account at a time. */
  get signedDays(): DaySeries | null {
    return new AccountUsage(this.buckets).series.get(sliceKey(DEFAULT_SLICE)) ?? null;
  }

  /** The stated days, as far as {@linkcode cover} was called. Computed on demand. */
  get stated(): StatedSpans {
    const days = () => this.usage.series.get(sliceKey(DEFAULT_SLICE))?.all.day ?? [];
    return (this.#stated ??= statedSpans(days(), [...this.#acceptedSpans()]));
  }

  /** Where the counting usage begins, computed on demand. */
  get extent(): UsageExtent {
    // A new weak reference would hold the usage of all accounts until a loop over them ends.
    this.#extent ??= (this.#usage?.deref() ?? new AccountUsage(this.buckets)).extent;
    return this.#extent;
  }

  submit(submission: CountedSubmission): void {
    if (this.#submissions) {
      this.#submissions.set(submission.log_index, { state: ACCEPTED, submission });
    } else this.#packed.add(submission);
    this.#forget();
  }

  /** Adds the days that a submission states. */
  cover(log_index: number, { from, to }: Pick<Covers, 'from' | 'to'>): void {
    this.#covered ??= new Map();
    this.#covered.set(log_index, [dayNumber(from), dayNumber(to)]);
    this.#forget();
  }

  /** Applies an entry about one submission. */
  decide(log_index: number, kind: StateKind): void {
    const known = this.#submissions?.get(log_index);
    if (!known) return;
    known.state = afterEntry(known.state, kind);
    this.#forget();
  }

  /** Withdraws all submissions of a compromised device. */
  compromise(device_id: number): void {
    for (const known of this.#submissions?.values() ?? []) {
      if (known.submission.device_id === device_id) known.state = afterCompromise(known.state);
    }
    this.#forget();
  }

  /** Assigns the submissions of a replaced device to the new one, in log order. */
  replace(replaced: number, by: number): void {
    for (const known of this.#submissions?.values() ?? []) {
      const { submission } = known;
      if (submission.device_id === replaced) known.submission = { ...submission, device_id: by };
    }
    this.#forget();
  }

  *#accepted(): Generator<CountedSubmission> {
    if (!this.#submissions) return yield* this.#packed;
    for (const { state, submission } of this.#submissions.values()) {
      if (stateOf(state) === 'accepted') yield submission;
    }
  }

  *#acceptedSpans(): Generator<DaySpan> {
    for (const [log_index, span] of this.#covered ?? []) {
      const known = this.#submissions?.get(log_index);
      if (!known || stateOf(known.state) === 'accepted') yield span;
    }
  }

  #forget(): void {
    this.#usage = null;
    this.#extent = null;
    this.#stated = null;
  }
}

/** Where an operator's counting usage begins. */
export interface UsageExtent {
  /** The first day of each slice in which the operator has buckets. */
  firstDays: ReadonlyMap<string, number>;
  tools: readonly string[];
  /** The first day with unsigned tokens; infinite without one. */
  firstSelfReported: number;
}

/** An operator's counting usage by slice. */
export class AccountUsage {
  /** The days of each slice in which the operator has buckets. */
  readonly series: ReadonlyMap<string, DaySeries>;
  readonly extent: UsageExtent;

  constructor(buckets: readonly CountedBucket[]) {
    const usage = buckets.filter(({ counts }) => counts === 1).map(usageOf);
    usage.sort((a, b) => a.day - b.day);
    const bySlice = usageBySlice(usage);
    const made = new Map<readonly DayUsage[], DaySeries>();
    const series = [...bySlice].map(([key, ofSlice]) => {
      const known = made.get(ofSlice) ?? seriesOf(ofSlice);
      made.set(ofSlice, known);
      return [key, known] as const;
    });
    this.series = new Map(series);
    const unsigned = usage.find(
      (bucket) => bucket.source.trust === 'self_reported' && totalOf(bucket) > 0,
    );
    this.extent = {
      firstDays: new Map(series.map(([key, { all }]) => [key, all.day[0] ?? Infinity])),
      tools: [...new Set(usage.map(({ source }) => source.tool))],
      firstSelfReported: unsigned?.day ?? Infinity,
    };
  }
}

function usageOf({ day, tool, provider, model, trust, counted }: CountedBucket): DayUsage {
  const source = { tool, provider, model, trust };
  return { day: dayNumber(day), source, ...counted };
}
