/**
 * Which buckets count: a pure function of an operator's submissions in log order. The board applies
 * it step by step, as submissions come; replaying the log gives the same.
 *
 * @module
 */
import type { Correction } from '#core/schema/snapshot.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { bucketKey, totalOf } from './bucket.ts';
import { groupBy } from '../text/group.ts';
import { type Counted, countRivals, partOf } from './overlap.ts';

/** A bucket as one device last stated it. */
interface StandingBucket extends Bucket {
  device_id: number;
  /** Position in the log of the submission that stated it. */
  log_index: number;
  trust: Trust;
}

/** A standing bucket with the verdict whether it counts, and how much of it. */
export interface CountedBucket extends StandingBucket {
  /** 1 also where only a part of it counts. */
  counts: 0 | 1;
  /**
   * What counts of each pillar: all that was stated, less where buckets of other devices are of the same
   * responses, nothing where the bucket does not count. Null where the tool does not report it.
   */
  counted: Pillars;
}

/** What one submission states. */
export interface CountedSubmission {
  device_id: number;
  log_index: number;
  trust: Trust;
  correction: Correction | null;
  buckets: readonly Bucket[];
}

/** Standing buckets of one device by {@linkcode bucketKey}. */
type DeviceBuckets = Map<string, StandingBucket>;

/**
 * Applies a submission to its device's standing buckets, in place. A correction first removes all
 * of its tool in its days. A later bucket replaces the earlier one whole when its total is larger or
 * equal; a self-reported one always replaces.
 */
function applySubmission(standing: DeviceBuckets, submission: CountedSubmission): void {
  const { device_id, log_index, trust, correction } = submission;
  if (correction) {
    for (const [key, bucket] of standing) {
      if (isCorrected(bucket, correction)) standing.delete(key);
    }
  }
  for (const bucket of submission.buckets) {
    const key = bucketKey(bucket);
    const earlier = standing.get(key);
    if (earlier && trust === 'signed' && totalOf(bucket) < totalOf(earlier)) continue;
    standing.set(key, { ...standingPart(bucket, trust), device_id, log_index, trust });
  }
}

/**
 * Applies the part of a submission that speaks of one day and tool to all that stands there, on
 * whatever device, and judges anew what counts.
 *
 * @param standing All standing buckets of the operator for this day and tool.
 * @param submission Its buckets are those of this day and tool only.
 */
export function settleGroup(
  standing: readonly StandingBucket[],
  submission: CountedSubmission,
): CountedBucket[] {
  const own: DeviceBuckets = new Map();
  const all: StandingBucket[] = [];
  for (const bucket of standing) {
    if (bucket.device_id === submission.device_id) own.set(bucketKey(bucket), bucket);
    else all.push(bucket);
  }
  applySubmission(own, submission);
  all.push(...own.values());
  return judge(all);
}

/**
 * Settles an operator's submissions from nothing: give it the accepted ones in log order, and it
 * holds what settling them one by one, as they came, has left.
 */
export class Replay {
  readonly #devices = new Map<number, DeviceBuckets>();

  apply(submission: CountedSubmission): void {
    const standing: DeviceBuckets = this.#devices.get(submission.device_id) ?? new Map();
    applySubmission(standing, submission);
    this.#devices.set(submission.device_id, standing);
  }

  /** All that stands after what was applied, and whether it counts. */
  result(): CountedBucket[] {
    return judge([...this.#devices.values()].flatMap((standing) => [...standing.values()]));
  }
}

/** A bucket with nobody's signature has no fingerprint: anybody could state one. */
function standingPart(bucket: Bucket, trust: Trust): Bucket {
  return trust === 'signed' ? bucket : { ...bucket, fingerprint: undefined };
}

/** Whole groups of day and tool, each bucket with its verdict. */
function judge(standing: readonly StandingBucket[]): CountedBucket[] {
  const parts = countedParts(standing);
  return standing.map((bucket) => {
    const pillars = parts.get(bucket)?.pillars ?? null;
    return { ...bucket, counts: pillars ? 1 : 0, counted: pillars ?? partOf(bucket, 0, 1) };
  });
}

/**
 * Of buckets of which not all counts because another device's bucket is of the same responses, or equal:
 * that other device. It is the one with which most is common.
 *
 * @param standing Whole groups of one operator's standing buckets of the same day and tool.
 */
export function sameDevices(standing: readonly StandingBucket[]): Map<StandingBucket, number> {
  const same = new Map<StandingBucket, number>();
  for (const [bucket, { same_as }] of countedParts(standing)) {
    if (same_as !== null) same.set(bucket, same_as);
  }
  return same;
}

/** Whether a correction speaks of this bucket. */
export function isCorrected(bucket: Pick<Bucket, 'day' | 'tool'>, correction: Correction): boolean {
  const { tool, from, to } = correction;
  return bucket.tool === tool && bucket.day >= from && bucket.day <= to;
}

/**
 * What counts of each standing bucket of one operator: of the same responses on several devices one
 * statement, and no self-reported bucket where a signed one stands for the same day and tool. Looks only at
 * buckets of the same day and tool together, so any whole set of such groups can be judged alone.
 */
function countedParts(standing: readonly StandingBucket[]): Map<StandingBucket, Counted> {
  const signed = new Set(standing.filter((b) => b.trust === 'signed').map(dayAndTool));
  const candidates = standing.filter((b) => b.trust === 'signed' || !signed.has(dayAndTool(b)));
  const parts = new Map<StandingBucket, Counted>();
  for (const rivals of groupBy(candidates, bucketKey).values()) countRivals(rivals, parts);
  return parts;
}

/** The group inside which buckets can keep each other from counting. */
export function dayAndTool({ day, tool }: Pick<Bucket, 'day' | 'tool'>): string {
  return `${day}\n${tool}`;
}
