/** What counts after submissions are settled one after the other. */
import fc from 'fast-check';
import { bucketKey } from '#core/domain/counting/bucket.ts';
import {
  type CountedBucket,
  type CountedSubmission,
  settleGroup,
} from '#core/domain/counting/counting.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { aBucket } from '../board/builders.ts';
import { aFingerprint } from '../board/fingerprints.ts';

function aSubmission(over: Partial<CountedSubmission> = {}): CountedSubmission {
  return {
    device_id: 1,
    log_index: 10,
    trust: 'signed',
    correction: null,
    buckets: [aBucket()],
    ...over,
  };
}

/** What counts after submissions of buckets of one day and tool, in this order. */
export function settled(...submissions: Partial<CountedSubmission>[]): CountedBucket[] {
  return submissions.reduce<CountedBucket[]>(
    (standing, over, at) => settleGroup(standing, aSubmission({ log_index: at + 1, ...over })),
    [],
  );
}

const day = fc.constantFrom('2026-03-01', '2026-03-02', '2026-03-03');
const tool = fc.constantFrom('a', 'b');
const few = fc.nat(2);
const anyBucket: fc.Arbitrary<Bucket> = fc.record({
  day,
  tool,
  provider: fc.constant('p'),
  model: fc.constantFrom('m', 'n'),
  input: few,
  output: few,
  cache_write: fc.option(few),
  cache_read: fc.option(few),
  fingerprint: fc.option(aFingerprint, { nil: undefined }),
});
/** What each of three devices may submit. The last one is for self-reports. */
export const anySubmission: fc.Arbitrary<CountedSubmission> = fc
  .record({
    device_id: fc.constantFrom(1, 2, 3),
    log_index: fc.constant(0),
    correction: fc.option(
      fc
        .tuple(tool, day, day)
        .map(([of, a, b]) => ({ tool: of, from: a < b ? a : b, to: a < b ? b : a })),
    ),
    buckets: fc.uniqueArray(anyBucket, { selector: bucketKey, maxLength: 5 }),
  })
  .map((drawn) => ({ ...drawn, trust: drawn.device_id === 3 ? 'self_reported' : 'signed' }));
