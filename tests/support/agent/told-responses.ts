/** A ledger that holds only what a test says, for what is made of its responses. */
import { bucketKey } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Fingerprinted } from '#agent/loop/fingerprints.ts';

/** So many responses from a number on, named by their numbers, behind a daily count. */
export interface ToldResponses {
  bucket: Bucket;
  from: number;
  to: number;
  /** The run that brought them; 1 if absent. */
  run?: number;
  /** The fingerprint of what was carried over; none if absent. */
  carried?: string;
}

export function aLedgerOf(told: readonly ToldResponses[]): Fingerprinted {
  const of = (bucket: Parameters<Fingerprinted['responsesOf']>[0]) => {
    return told.filter((one) => bucketKey(one.bucket) === bucketKey(bucket));
  };
  return {
    responsesOf: (bucket) =>
      of(bucket).flatMap(({ from, to, run = 1 }) =>
        Array.from({ length: to - from }, (_, at) => {
          return { name: `response${String(from + at).padStart(3, '0')}`, run, at: 0 };
        }),
      ),
    isCarried: (bucket, sinceMs = 0) => sinceMs <= 0 && of(bucket)[0]?.carried !== undefined,
    carriedFingerprint: (_, bucket) => of(bucket)[0]?.carried ?? null,
  };
}
