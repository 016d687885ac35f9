/**
 * What is remembered about a day whose signed tokens changed late or became fewer. About all other days, nothing needs to
 * be remembered: their tokens were all stated in time.
 *
 * @module
 */

/** A day whose tokens changed after the end of the next day, or became fewer. */
export interface ChangedDay {
  /** The most tokens of the day that had been stated by the end of the next UTC day. */
  in_time: number;
  /** 1 if a correction or a withdrawal lowered the day. */
  is_lowered: 0 | 1;
}

/** A change of the signed tokens that an operator has on a day. */
interface DayChange {
  /** The tokens of the day that counted before, and that count after the change. */
  before: number;
  after: number;
  /** Whether the board received it by the end of the next UTC day. */
  isInTime: boolean;
  /** Whether it is a correction or a withdrawal. */
  isOwnCorrection: boolean;
}

/**
 * Returns what must be remembered after a change; null if that is still nothing. The result depends only on the log.
 *
 * @param known What was remembered before it.
 */
export function afterChange(
  known: ChangedDay | null,
  { before, after, isInTime, isOwnCorrection }: DayChange,
): ChangedDay | null {
  if (after === before) return known;
  if (known === null && isInTime && after > before) return null;
  const { in_time, is_lowered } = known ?? { in_time: before, is_lowered: 0 };
  return {
    in_time: isInTime ? Math.max(in_time, after) : in_time,
    is_lowered: isOwnCorrection && after < before ? 1 : is_lowered,
  };
}
