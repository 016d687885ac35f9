/**
 * What assistants' logs say before anything is summed, and the bounds that hold for it. Plain types:
 * readers make millions of these, and what they make is checked when it becomes an Operator Record.
 * No schemas either: a scan would spend more time on loading them than on reading.
 *
 * @module
 */

export const RECORD_SPEC = 'rank/0.1-draft';

/** The largest token count: above it JSON numbers stop being exact integers. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** The most tools, providers, models, and pairs of provider and model that a board counts for one operator. */
export const MAX_TOOLS = 50;
export const MAX_PROVIDERS = 50;
export const MAX_MODELS = 200;
export const MAX_PAIRS = 200;
/** The same by name. */
export const MAX_SOURCES = {
  tools: MAX_TOOLS,
  providers: MAX_PROVIDERS,
  models: MAX_MODELS,
  pairs: MAX_PAIRS,
} as const;

/** The most daily counts of one operator's devices: several times what years of heavy use leave. */
export const MAX_BUCKETS = 100_000;

/** The longest name of a provider, model or tool, in code points. */
export const LABEL_LENGTH = 120;

/** What stands for a provider, model or tool that nobody named. */
export const UNKNOWN = 'unknown';

/** Control, format (bidirectional marks among them), surrogate and separator characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a text is in Unicode normal form C and holds no character of those; the log holds names that are no more than that. */
export function isPlain(text: string): boolean {
  return !INVISIBLE.test(text) && text === text.normalize('NFC');
}

/** Characters that show nothing though they are no control characters: fillers, variation selectors, unassigned ones. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\p{Cn}\u2800]/u;

/** Whether every character of a plain text can be seen, or is a space. Names that look alike must not be told apart. */
export function isVisible(text: string): boolean {
  return isPlain(text) && !BLANK.test(text);
}

/** Whether a text can name a provider, model or tool. */
export function isLabel(text: string): boolean {
  const isLong = text.length > LABEL_LENGTH && [...text].length > LABEL_LENGTH;
  return text !== '' && !isLong && isVisible(text);
}

/** The four pillars, in tokens. `null` means that the tool does not report it; `0` that it reported zero. */
export interface Pillars {
  input: number;
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

/** A response as a reader of all logs of a tool tells it. */
export interface LoggedResponse extends UsageEvent {
  /**
   * Names the response among all of its tool, wherever its log is copied or moved to, and however
   * much of it was written when it was read.
   */
  key: string;
}

/** Which assistant and model tokens are of. */
export interface UsageSource {
  provider: string;
  model: string;
  tool: string;
}

/** All that one device used of one model of one provider through one tool on one UTC day. */
export interface Bucket extends Pillars, UsageSource {
  day: string;
  /** The fingerprint of the responses behind it; absent where none was stated. */
  fingerprint?: string | undefined;
}
