/**
 * Decides which buckets count. The result depends only on an operator's submissions in log order. The board
 * applies each submission as it arrives; replaying the log gives the same result.
 *
 * @module
 */
import type { Correction } from '#core/schema/snapshot.ts';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { bucketKey, totalOf } from './bucket.ts';
import { groupBy } from '../text/group.ts';
import { type Counted, countRivals, partOf } from './overlap.ts';

/** A bucket as one device last submitted it. */
interface StandingBucket extends Bucket {
  device_id: number;
  /** Position in the log of the submission that contains it. */
  log_index: number;
  trust: Trust;
}

/** A standing bucket, whether it counts, and how much of it. */
export interface CountedBucket extends StandingBucket {
  /** 1 if any part of it counts. */
  counts: 0 | 1;
  /**
   * The part of each pillar that counts: less than submitted if buckets of other devices cover the same
   * responses, 0 if the bucket does not count. Null if the tool does not report the pillar.
   */
  counted: Pillars;
}

/** The contents of one submission. */
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
 * Applies a submission to its device's standing buckets, in place. A correction first removes all buckets
 * of its tool on its days. A later bucket replaces the earlier one entirely if its total is at least as large.
 * A self-reported one always replaces.
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
 * Applies the part of a submission that concerns one day and tool to the standing buckets of all devices
 * for that day and tool, and decides again which of them count.
 *
 * @param standing All standing buckets of the operator for this day and tool.
 * @param submission Contains only buckets of this day and tool.
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
 * Counts an operator's submissions from scratch. Given the accepted submissions in log order, the result is the
 * same as applying them one by one as they arrived.
 */
export class Replay {
  readonly #devices = new Map<number, DeviceBuckets>();

  apply(submission: CountedSubmission): void {
    const standing: DeviceBuckets = this.#devices.get(submission.device_id) ?? new Map();
    applySubmission(standing, submission);
    this.#devices.set(submission.device_id, standing);
  }

  /** All standing buckets after the applied submissions, and whether they count. */
  result(): CountedBucket[] {
    return judge([...this.#devices.values()].flatMap((standing) => [...standing.values()]));
  }
}

/** Drops the fingerprint of an unsigned bucket, which anybody could have made up. */
function standingPart(bucket: Bucket, trust: Trust): Bucket {
  return trust === 'signed' ? bucket : { ...bucket, fingerprint: undefined };
}

/** Decides which buckets count. Takes complete groups of the same day and tool. */
function judge(standing: readonly StandingBucket[]): CountedBucket[] {
  const parts = countedParts(standing);
  return standing.map((bucket) => {
    const pillars = parts.get(bucket)?.pillars ?? null;
    return { ...bucket, counts: pillars ? 1 : 0, counted: pillars ?? partOf(bucket, 0, 1) };
  });
}

/**
 * For each bucket that does not count in full because it shares responses with another device's bucket, or
 * equals it: that other device. If there are several, the one that shares the most.
 *
 * @param standing Complete groups of one operator's standing buckets of the same day and tool.
 */
export function sameDevices(standing: readonly StandingBucket[]): Map<StandingBucket, number> {
  const same = new Map<StandingBucket, number>();
  for (const [bucket, { same_as }] of countedParts(standing)) {
    if (same_as !== null) same.set(bucket, same_as);
  }
  return same;
}

/** Whether a correction covers this bucket. */
export function isCorrected(bucket: Pick<Bucket, 'day' | 'tool'>, correction: Correction): boolean {
  const { tool, from, to } = correction;
  return bucket.tool === tool && bucket.day >= from && bucket.day <= to;
}

/**
 * How much counts of each standing bucket of one operator. Responses on several devices count once, and a
 * self-reported bucket does not count if a signed one exists for the same day and tool. Only buckets of the same
 * day and tool affect each other, so any set of complete groups can be judged alone.
 */
function countedParts(standing: readonly StandingBucket[]): Map<StandingBucket, Counted> {
  const signed = new Set(standing.filter((b) => b.trust === 'signed').map(dayAndTool));
  const candidates = standing.filter((b) => b.trust === 'signed' || !signed.has(dayAndTool(b)));
  const parts = new Map<StandingBucket, Counted>();
  for (const rivals of groupBy(candidates, bucketKey).values()) countRivals(rivals, parts);
  return parts;
}

/** The key of the group within which buckets can keep each other from counting. */
export function dayAndTool({ day, tool }: Pick<Bucket, 'day' | 'tool'>): string {
  return `${day}\n${tool}`;
}
