/** A ledger with the responses that a test sets. */
import { bucketKey } from '#core/domain/counting/bucket.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Fingerprinted } from '#agent/loop/fingerprints.ts';

/** A number of responses in a daily count, named by consecutive numbers. */
export interface ToldResponses {
  bucket: Bucket;
  from: number;
  to: number;
  /** The run that added them. Default: 1. */
  run?: number;
  /** The fingerprint of carried-over counts. Default: none. */
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
