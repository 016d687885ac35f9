/**
 * One operator according to the log: visibility, and which buckets count.
 *
 * @module
 */
import type { VisibilityPayload } from '#core/schema/log-payload.ts';
import { totalOf } from '../counting/bucket.ts';
import { type CountedBucket, Replay, type CountedSubmission } from '../counting/counting.ts';
import { type DaySeries, type DayUsage, seriesOf } from '../metrics/day-series.ts';
import { dayNumber } from '../counting/day.ts';
import { usageBySlice } from '../board/slices.ts';
import {
  ACCEPTED,
  type LoggedState,
  type StateKind,
  afterEntry,
  afterCompromise,
  stateOf,
} from './submission-state.ts';
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
  #replay = new Replay();
  readonly #submissions: Map<number, LoggedSubmission> | null;
  #usage: AccountUsage | null = null;

  constructor(isRecounted: boolean) {
    this.#submissions = isRecounted ? new Map() : null;
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
    return this.#replay.result();
  }

  /** The counting usage, computed on demand. */
  get usage(): AccountUsage {
    return (this.#usage ??= new AccountUsage(this.buckets));
  }

  submit(submission: CountedSubmission): void {
    this.#submissions?.set(submission.log_index, { state: ACCEPTED, submission });
    this.#replay.apply(submission);
    this.#usage = null;
  }

  /** Applies an entry about one submission. */
  decide(log_index: number, kind: StateKind): void {
    const known = this.#submissions?.get(log_index);
    if (!known) return;
    known.state = afterEntry(known.state, kind);
    this.#recount();
  }

  /** Withdraws all submissions of a compromised device. */
  compromise(device_id: number): void {
    for (const known of this.#submissions?.values() ?? []) {
      if (known.submission.device_id === device_id) known.state = afterCompromise(known.state);
    }
    this.#recount();
  }

  /** Assigns the submissions of a replaced device to the new one, in log order. */
  replace(replaced: number, by: number): void {
    for (const known of this.#submissions?.values() ?? []) {
      const { submission } = known;
      if (submission.device_id === replaced) known.submission = { ...submission, device_id: by };
    }
    this.#recount();
  }

  #recount(): void {
    this.#replay = new Replay();
    for (const { state, submission } of this.#submissions?.values() ?? []) {
      if (stateOf(state) === 'accepted') this.#replay.apply(submission);
    }
    this.#usage = null;
  }
}

/** An operator's counting usage by slice. */
export class AccountUsage {
  /** The days of each slice in which the operator has buckets. */
  readonly series: ReadonlyMap<string, DaySeries>;
  readonly tools: readonly string[];
  /** The first day with unsigned tokens; infinite without one. */
  readonly firstSelfReported: number;

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
    this.tools = [...new Set(usage.map(({ source }) => source.tool))];
    const unsigned = usage.find(
      (bucket) => bucket.source.trust === 'self_reported' && totalOf(bucket) > 0,
    );
    this.firstSelfReported = unsigned?.day ?? Number.POSITIVE_INFINITY;
  }
}

function usageOf({ day, tool, provider, model, trust, counted }: CountedBucket): DayUsage {
  const source = { tool, provider, model, trust };
  return { day: dayNumber(day), source, ...counted };
}
