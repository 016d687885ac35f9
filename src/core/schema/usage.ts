/**
 * What assistants' logs say before anything is summed. Plain types: readers make millions of
 * these, and what they make is checked when it becomes an Operator Record.
 *
 * @module
 */

/** The four pillars, in tokens. `null` means that the tool does not report it; `0` that it reported zero. */
export interface Pillars {
  /** Fresh input, not served from a cache. */
  input: number;
  /** Output, reasoning included. */
  output: number;
  cache_write: number | null;
  cache_read: number | null;
}

/** One response of a model, as one log line (or several lines about it) says. */
export interface UsageEvent extends Pillars {
  /** When it happened, in milliseconds since the epoch. */
  timestampMs: number;
  provider: string;
  model: string;
}

/** All that one device used of one model of one provider through one tool on one UTC day. */
export interface Bucket extends Pillars {
  /** The UTC day, `YYYY-MM-DD`. */
  day: string;
  provider: string;
  model: string;
  tool: string;
}
