/**
 * What is remembered of logs that were counted. Who deletes or moves a log takes days away that a
 * board still has, and no other log tells that: only this does.
 *
 * @module
 */
import * as z from 'zod';

/** The last day on which a log was written to, and its size then. */
const CountedLog = z.tuple([z.string(), z.number()]);
type CountedLog = z.infer<typeof CountedLog>;

/** The logs of one tool that were counted. */
export const CountedLogs = z.object({
  /** The last day of which something is gone, as far as that was noticed; null if nothing is. */
  gone_to: z.string().nullable(),
  /** By the hash of their path. */
  logs: z.record(z.string(), CountedLog),
});
export type CountedLogs = z.infer<typeof CountedLogs>;

/** The logs of one tool as they are now. */
export interface SeenLogs {
  logs: CountedLogs['logs'];
  /** Whether these are all that there are: some could not be read, or the folder is not there. */
  isAll: boolean;
}
