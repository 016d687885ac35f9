/**
 * A reader knows how one tool writes token counts into its logs. It reads text line by line and one
 * file at a time; what a file says is plain JSON, so it can be kept and merged again later without
 * reading that file. What is one response in several files is decided when files are merged.
 *
 * @module
 */
import type { LoggedResponse } from '../schema/usage.ts';

/**
 * Why a line that should tell counts was left out: it is not an object of JSON or too long to hold;
 * or it says an impossible count, time, name of a model or provider, or id. And why a response was:
 * with it the logs come to too much to be true.
 */
export const SKIP_REASONS = [
  'not_json',
  'too_long',
  'count',
  'time',
  'name',
  'id',
  'too_much',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** How many lines were left out, by reason. */
export type Skips = Partial<Record<SkipReason, number>>;

/** What one log file says, as plain JSON; every reader adds its own members. */
export interface FileUsage {
  /** Names the file in reports, and its session where the file itself does not. */
  path: string;
  skipped: Skips;
}

/** Reads one file. */
export interface FileReader<Usage extends FileUsage = FileUsage> {
  /**
   * Takes the file's next line that holds one of the needles.
   *
   * @param shortened The line's {@linkcode Gap} was cut out.
   * @returns `false` if a shortened line cannot be judged: nothing was taken, hand in the whole line.
   */
  line(text: string, shortened?: boolean): boolean;
  /** What the file says so far. */
  finish(): Usage;
}

/**
 * A long member that a line can do without: the value behind the first `after` may be replaced by
 * `0`, up to the last `before` in front of the first needle.
 */
export interface Gap {
  readonly after: string;
  readonly before: string;
}

/** A database table whose rows tell of responses. */
export interface LogTable {
  readonly name: string;
  /** The column that names a response: its value becomes the member `id` of the row's line. */
  readonly id: string;
  /** The column that holds an object of JSON: the row's line. */
  readonly data: string;
}

/**
 * How one tool's logs are read. A log is lines, a single JSON document that is handed in as one
 * line, or a database whose rows are handed in as lines.
 */
export interface Reader<Usage extends FileUsage = FileUsage> {
  readonly tool: string;
  /** Version of the counting rules: a file's usage is only good for the rules that made it. */
  readonly rules: number;
  /** A line that holds none of these is of no interest. */
  readonly needles: readonly string[];
  readonly gap?: Gap;
  /** A line is of no interest if its object has one of these members before anything nested. */
  readonly others?: readonly string[];
  /** What is read of a database; of each table that is there. */
  readonly tables?: readonly LogTable[];
  /** Opens a file; with `before`, what its beginning said, reading goes on behind that beginning. */
  open(path: string, before?: Usage): FileReader<Usage>;
  /**
   * Names of all that a file may have in common with others: files without a common name may be
   * merged apart. A reader that has no such names has all its files merged together.
   */
  ties?(usage: Usage): Iterable<string>;
  /** All usage of a device's files, each response once, by its key; the order of the files does not matter. */
  merge(files: readonly Usage[]): LoggedResponse[];
}
