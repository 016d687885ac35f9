import {
  type CountedBucket,
  Replay,
  type CountedSubmission,
} from '#core/domain/counting/counting.ts';

/** What stands after submissions that are replayed from nothing. */
export function replay(submissions: Iterable<CountedSubmission>): CountedBucket[] {
  const replayed = new Replay();
  for (const submission of submissions) replayed.apply(submission);
  return replayed.result();
}
