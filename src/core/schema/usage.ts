/**
 * Token usage as read from logs, and its limits. These are plain types because readers create millions of them;
 * they are validated when they become Operator Records. Loading schemas would take longer than a scan.
 *
 * @module
 */

export const RECORD_SPEC = 'rank/0.1-draft';

/** The largest token count. Above it, JSON numbers are not exact integers. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** The maximum number of tools, providers, models, and pairs of provider and model of one operator. */
export const MAX_TOOLS = 50;
export const MAX_PROVIDERS = 50;
export const MAX_MODELS = 200;
export const MAX_PAIRS = 200;
/** The same limits by name. */
export const MAX_SOURCES = {
  tools: MAX_TOOLS,
  providers: MAX_PROVIDERS,
  models: MAX_MODELS,
  pairs: MAX_PAIRS,
} as const;

/** The maximum number of daily counts of one operator's devices: several times those of years of heavy use. */
export const MAX_BUCKETS = 100_000;

/** The maximum length of the name of a provider, model or tool, in code points. */
export const LABEL_LENGTH = 120;

/** The name of a provider, model or tool that is unknown. */
export const UNKNOWN = 'unknown';

/** Control, format (bidirectional marks among them), surrogate and separator characters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Whether a text is in Unicode normal form C and has none of these characters. Names in old log entries are only that. */
export function isPlain(text: string): boolean {
  return !INVISIBLE.test(text) && text === text.normalize('NFC');
}

/** Invisible characters other than control characters: fillers, variation selectors, unassigned code points. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\p{Cn}\u2800]/u;

/** Whether each character is visible or a space. Otherwise, different names could look the same. */
export function isVisible(text: string): boolean {
  return isPlain(text) && !BLANK.test(text);
}

/** Whether a text can name a provider, model or tool. */
export function isLabel(text: string): boolean {
  const isLong = text.length > LABEL_LENGTH && [...text].length > LABEL_LENGTH;
  return text !== '' && !isLong && isVisible(text);
}

/** The four token types. `null` means that the tool does not report it; `0` means that it reported zero. */
export interface Pillars {
  input: number;
  output: number;
  cache_write: number | null;
  cache_read: number | null;
}

/** One response of a model, from one or more log lines. */
export interface UsageEvent extends Pillars {
  /** Milliseconds since the epoch. */
  timestampMs: number;
  provider: string;
  model: string;
}

/** A response with a key, from a reader of all logs of a tool. */
export interface LoggedResponse extends UsageEvent {
  /**
   * Identifies the response among all responses of the tool, even if the log is copied, moved or was incomplete
   * when it was read.
   */
  key: string;
}

/** The assistant and model that used the tokens. */
export interface UsageSource {
  provider: string;
  model: string;
  tool: string;
}

/** A daily count: the tokens of one device, provider, model, tool and UTC day. */
export interface Bucket extends Pillars, UsageSource {
  day: string;
  /** The fingerprint of the responses behind it; absent if the record had none. */
  fingerprint?: string | undefined;
}
