import {
  type CountedBucket,
  Replay,
  type CountedSubmission,
} from '#core/domain/counting/counting.ts';

/** What counts after submissions are replayed from the start. */
export function replay(submissions: Iterable<CountedSubmission>): CountedBucket[] {
  const replayed = new Replay();
  for (const submission of submissions) replayed.apply(submission);
  return replayed.result();
}
